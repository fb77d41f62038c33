"""What the clause tests share is in `felt` and `table_helpers`; here, only that pytest explains their asserts."""

import pytest

pytest.register_assert_rewrite("tests.clauses.felt", "tests.clauses.table_helpers")
