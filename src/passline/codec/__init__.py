"""Commands, events, refusals, notices and tables as JSON, both ways: what a journal keeps and a wire carries.

>>> from passline.engine.commands import Shoot
>>> encode(Shoot(1))
'{"kind":"command.shoot","v":1,"seat":1}'
>>> decode('{"kind":"command.shoot","v":1,"seat":1}')
Shoot(seat=1)
"""

from passline.codec.lines import decode, encode, from_data, to_data

__all__ = ["decode", "encode", "from_data", "to_data"]
