"""Sphinx's configuration; `scripts/site` writes the pages beside it and builds them."""

import ast
import inspect
import textwrap

from sphinx.application import Sphinx

from passline import __version__

project = "Passline"
author = "The Passline maintainers"
copyright = "The Passline maintainers, MIT licence"  # noqa: A001 - Sphinx reads this name
version = release = __version__

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
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#12643f", "color-brand-content": "#12643f"},
    "dark_css_variables": {"color-brand-primary": "#e3c26b", "color-brand-content": "#e3c26b"},
}


def as_written(_app: Sphinx, what: str, _name: str, thing: object, _options: object, *_: str | None) -> object:
    """A signature as its source has it: `Answer` is read, the thirty events that it stands for are not."""
    written = inspect.unwrap(thing) if callable(thing) else None
    if not inspect.isfunction(written) or written.__code__.co_filename.startswith("<"):  # `<string>` is a dataclass's
        return None
    node = ast.parse(textwrap.dedent(inspect.getsource(written))).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for arguments in (node.args.posonlyargs, node.args.args):
        if what == "method" and arguments and arguments[0].arg in {"self", "cls"}:
            del arguments[0]
    return f"({ast.unparse(node.args)})", ast.unparse(node.returns) if node.returns else None


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-signature", as_written)
