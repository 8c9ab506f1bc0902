"""The records of all notes joined, at once or one note after the other, and links resolved."""
