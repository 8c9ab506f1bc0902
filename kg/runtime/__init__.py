"""How the program runs: in copies of its process, without the collector's pauses, once for all."""
