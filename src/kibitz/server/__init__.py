"""The servers: tables in play (`live`), the browser table (`web`) and series over TCP (`host`)."""
