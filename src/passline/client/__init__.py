"""A live table from a program: typed, synchronous or not, and it goes on by itself when the line is cut.

```python
from passline.client import Client

table = Client("http://127.0.0.1:8000").practice(house="sydney")
table.bet("pass", 10)
print(table.roll().dice)
```
"""

from passline.client.calls import Answer, StreamedEntry, View
from passline.files.needed import missing

try:
    from passline.client.clients import AsyncClient, AsyncTable, Client, ClientTable
except ImportError as error:
    raise missing(error, "passline.client") from error

__all__ = ["Answer", "AsyncClient", "AsyncTable", "Client", "ClientTable", "StreamedEntry", "View"]
