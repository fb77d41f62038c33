"""The command line."""

from __future__ import annotations


def main() -> None:
    from passline.cli.errors import heard

    with heard():
        from passline.cli.app import app

        app()
