"""What can be asked of one record: fields, values, conditions, and indexes that answer them."""
