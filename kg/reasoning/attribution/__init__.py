"""Who moved a strength, and by how much, and what losses and other rules would do."""
