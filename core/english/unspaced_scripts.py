"""Words of scripts that put no spaces between them: Chinese, Japanese, Korean and Thai characters in pairs. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.normal_forms import normal_form

# Thai; hiragana and katakana without their punctuation; Han with its repetition marks, bopomofo; Hangul; halves of
# katakana and Hangul. Inside of brackets in regular expressions of Python and of PostgreSQL, which reads \u as well:
# `app.search_words` (ontology migrations) has the same characters, and they are changed together.
CHARACTERS = (
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    r"\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\uffa1-\uffdc\U00020000-\U0003fffd"
)
RUN = re.compile(f"[{CHARACTERS}]+")


def split_runs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a composed text in order, each with whether it is a run of these characters."""
    end = 0
    for run in RUN.finditer(text):
        yield text[end : run.start()], False
        yield run[0], True
        end = run.end()
    yield text[end:], False


def pairs(run: str) -> Iterator[str]:
    """Yield every two neighbouring characters of a run, or its one character."""
    whole = normal_form("NFKC", run)
    return (whole[at : at + 2] for at in range(max(1, len(whole) - 1)))


def is_single(term: str) -> bool:
    """Return whether a term is one such character: it may begin a pair, or end a run."""
    return len(term) == 1 and RUN.fullmatch(term) is not None
