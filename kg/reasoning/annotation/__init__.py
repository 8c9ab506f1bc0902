"""Labels of people and of models beside each other: how far they agree."""

__all__ = [
    "agreement",
    "model_comparison",
    "model_panel",
]
