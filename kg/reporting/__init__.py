"""What an answer is given out as: a report in text or HTML, columns of a table, a picture."""
