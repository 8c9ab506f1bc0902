"""The version of the program, said here alone."""

VERSION = "0.1.0"
