"""What the notes say: questions to a corpus, answered with the edges that justify the answer."""
