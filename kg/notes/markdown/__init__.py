"""A note's body: its blocks, and the inline syntax inside them; `body_reader` reads callouts."""
