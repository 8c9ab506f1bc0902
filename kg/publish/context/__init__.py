"""The context that all pages of a site share: links, texts, strengths, verdicts, data for
scales.
"""
