"""The houses: their rule books as files, and the reader that turns one into a `Book` or a readable complaint."""
