"""The games, a folder each. Everything else knows them only through the registry."""
