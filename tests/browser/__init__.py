"""The browser table in a real Chromium, against a real server."""
