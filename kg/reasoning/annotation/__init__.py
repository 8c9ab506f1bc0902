"""Agreement between the labels of people and of models."""
