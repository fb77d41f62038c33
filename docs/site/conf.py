"""Sphinx's configuration; `scripts/site` writes the pages beside it and builds them."""

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
