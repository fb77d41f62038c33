"""Ten lines that play the pass line at a live table: start `passline serve`, then run this."""

from passline import Refusal
from passline.client import Client

table = Client("http://127.0.0.1:8000").practice("sydney", name="Ann")
for _ in range(50):
    if "pass" not in table.look().state["seats"]["1"]["up"]:
        table.bet("pass", 10)
    rolled = table.roll()
    print(rolled.message if isinstance(rolled, Refusal) else rolled.dice, table.look().position)
