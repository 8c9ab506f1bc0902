"""Files of the site that programs read: its records, texts for models, sitemaps and a feed."""
