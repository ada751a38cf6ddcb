"""The model: games, agents and decisions, the registry, tables and records."""
