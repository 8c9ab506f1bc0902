"""Conditions on records: fields, values, conditions, and the indexes that answer them."""
