"""Commands, events, refusals, notices and tables as JSON, both ways: what a journal keeps and a wire carries.

>>> from passline.engine.commands import Shoot
>>> encode(Shoot(1))
'{"kind":"command.shoot","v":1,"seat":1}'
>>> decode_command('{"kind":"command.shoot","v":1,"seat":1}')
Shoot(seat=1)
"""

from passline.codec.lines import (
    decode,
    decode_command,
    decode_event,
    decode_floor,
    decode_notice,
    decode_refusal,
    decode_table,
    encode,
    from_data,
    to_data,
)

__all__ = [
    "decode",
    "decode_command",
    "decode_event",
    "decode_floor",
    "decode_notice",
    "decode_refusal",
    "decode_table",
    "encode",
    "from_data",
    "to_data",
]
