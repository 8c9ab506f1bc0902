"""Answers: what was found, the edges behind it, and its forms as table, frame and text."""
