"""The command line."""


def main() -> None:
    from passline.cli.printing import one_sentence_errors

    with one_sentence_errors():
        from passline.cli.app import app

        app()
