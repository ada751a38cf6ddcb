"""Measure agents: matches over many deals, their statistics, and the experiments of papers."""
