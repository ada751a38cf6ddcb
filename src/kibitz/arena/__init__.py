"""Where agents are measured: matches over many deals, their statistics, and the experiments of papers."""
