"""Live tables: `decide` behind a journal, with dice that can be checked, whatever stops and starts in between."""
