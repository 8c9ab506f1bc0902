"""Labels of people and of models beside each other: how far they agree."""
