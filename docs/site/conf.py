"""Sphinx's configuration; `scripts/site` writes the pages beside it and builds them."""

import ast
import inspect
import textwrap

from sphinx.application import Sphinx

import passline

project = "Passline"
author = "The Passline maintainers"
copyright = "The Passline maintainers, MIT licence"  # noqa: A001 - Sphinx reads this name
version = release = passline.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence"]
myst_heading_anchors = 4
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
python_use_unqualified_type_names = True
highlight_language = "none"  # a block without a language is what a terminal shows
suppress_warnings = ["autodoc.import_object", "ref.python"]  # a public name may be documented under two modules

html_theme = "furo"
html_title = f"Passline {version}"
html_static_path = ["static"]
html_extra_path = ["extra"]  # the table that is played from a link
html_css_files = ["site.css"]
html_use_index = False  # names are documented where they are used: an index of them would be empty
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#12643f", "color-brand-content": "#12643f"},
    "dark_css_variables": {"color-brand-primary": "#e3c26b", "color-brand-content": "#e3c26b"},
}


CONSTRUCTED = {"House", "Price", "Table", "Wants"}
"""What callers make themselves; the others are answers and errors, and nobody asks how they are made."""


def source_of(written: object) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """A function as it is written; a dataclass's own are written nowhere."""
    if not inspect.isfunction(written) or written.__code__.co_filename.startswith("<"):
        return None
    node = ast.parse(textwrap.dedent(inspect.getsource(written))).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return node


def as_written(_app: Sphinx, what: str, _name: str, thing: object, _options: object, *_: str | None) -> object:
    """A signature as its source has it: `Answer` is read, the thirty events that it stands for are not."""
    node = source_of(inspect.unwrap(thing)) if callable(thing) else None
    if node is None:
        return None
    for arguments in (node.args.posonlyargs, node.args.args):
        if what == "method" and arguments and arguments[0].arg in {"self", "cls"}:
            del arguments[0]
    return f"({ast.unparse(node.args)})", ast.unparse(node.returns) if node.returns else None


def properties_as_written() -> None:
    """The same of what properties give: Sphinx reads a signature, where there is one, and no annotation."""
    every = (
        vars(getattr(passline, name)).values() for name in passline.__all__ if isinstance(getattr(passline, name), type)
    )
    for each in (value.fget for values in every for value in values if isinstance(value, property)):
        node = source_of(each)
        if node is not None and node.returns is not None:
            del each.__annotations__["return"]
            setattr(each, "__signature__", inspect.Signature(return_annotation=ast.unparse(node.returns)))  # noqa: B010


def left_out(_app: Sphinx, _what: str, name: str, thing: object, _skip: object, _options: object) -> bool | None:
    """A constructor that nobody calls."""
    whose = getattr(thing, "__qualname__", "").partition(".")[0]
    return True if name == "__new__" or (name == "__init__" and whose not in CONSTRUCTED) else None


def setup(app: Sphinx) -> None:
    properties_as_written()
    app.connect("autodoc-process-signature", as_written)
    app.connect("autodoc-skip-member", left_out)
