"""The public API: what `import kibitz` offers."""
