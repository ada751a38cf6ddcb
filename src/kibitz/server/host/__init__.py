"""A host: a port where programs in any language take seats. Their clients are in `kibitz.client`."""
