"""From trees to the declared game: overlays, names, types."""
