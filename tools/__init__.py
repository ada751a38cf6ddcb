"""Checks that `make lint` runs besides those of ruff, mypy and import-linter."""
