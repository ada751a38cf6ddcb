"""What games and agents agree on: states and views, agents and decisions, seeds, the registry, the table."""
