"""What all pages of one site share: links, texts, strengths, verdicts, what a browser weighs."""
