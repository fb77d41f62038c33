"""What the clause tests share is in `table_helpers`; here, only that pytest explains their asserts."""

import pytest

pytest.register_assert_rewrite("tests.clauses.table_helpers")
