"""What moved a strength, and by how much, and the effect of losses and of other rules."""
