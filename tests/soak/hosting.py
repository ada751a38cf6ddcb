FAULTS = {}
USUAL = ()
