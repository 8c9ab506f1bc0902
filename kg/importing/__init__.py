"""What others wrote elsewhere, as notes: read, named, and drafted as a change."""
