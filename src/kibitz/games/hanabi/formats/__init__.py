"""Formats of other programs: hanab.live exports and the wire protocol of the University of Bologna."""
