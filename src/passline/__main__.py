"""`python -m passline` is `passline`."""

from passline.cli import main

main()
