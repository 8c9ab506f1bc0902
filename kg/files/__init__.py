"""How this program reads what a corpus brings, and where it keeps what it makes."""
