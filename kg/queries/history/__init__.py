"""The corpus at other revisions: differences, changed verdicts, past answers."""
