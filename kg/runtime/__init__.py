"""The running program: copies of its process, the garbage collector, results computed once."""
