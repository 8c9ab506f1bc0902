"""The forms of an answer: a report in text or HTML, columns of a table, a picture."""
