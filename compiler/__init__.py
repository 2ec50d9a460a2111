"""From YAML to an image: read, check, compile. The passes stand in `pipeline`; each folder has a page that says where
to start."""
