"""What `import kibitz` offers to scripts and notebooks. It adds no rules and no statistics of its own."""
