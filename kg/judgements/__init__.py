"""Edge labels by people and models, read from tables beside the notes."""
