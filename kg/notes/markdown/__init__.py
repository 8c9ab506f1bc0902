"""A note's body: its blocks, and what stands inside them."""
