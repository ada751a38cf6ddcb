"""Love Letter: rules, views, sampled worlds and players."""
