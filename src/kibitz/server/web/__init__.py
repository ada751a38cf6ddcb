"""The browser's server: HTTP and WebSockets, the database of tables, the lobby, the laboratory and the page."""
