"""The table in the browser: live tables and their logs, visitors and their sockets, the laboratory, the page."""
