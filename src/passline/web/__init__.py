"""The pit over HTTP: commands by POST, events by Server-Sent Events, each seat's own view."""
