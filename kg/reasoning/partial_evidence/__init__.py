"""Partial evidence: an answer, and how sure it is, if only part of the evidence counted."""
