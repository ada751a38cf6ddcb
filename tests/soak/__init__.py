"""A soak test: games at `kibitz serve` and `kibitz host` as black boxes, with faults thrown in from a seed."""
