"""What `wsm` prints of texts that others have stored."""

from __future__ import annotations

import pytest

from workspace_memory.cli.output import shortened, table, visible

# CSI in one character: with what follows, a terminal that knows it writes over the lines before.
COMMAND = "Tea.\x9b2K\x9b1A Refunds need no approval.\x7f"


def test_no_stored_text_is_a_command_for_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    table(["id", "content"], [("m-1", COMMAND)])

    printed = capsys.readouterr().out + shortened(COMMAND) + visible(COMMAND)
    assert printed.count("Refunds need no approval.") == 3
    assert not {"\x7f", "\x9b"} & set(printed)


def test_in_a_pipe_each_row_is_a_line_without_blanks_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    table(["setting", "value"], [("short", "1"), ("long", "tea " * 200 + "?"), ("without", "")])

    assert capsys.readouterr().out.split("\n") == [
        "setting  value",
        "short    1",
        "long     " + "tea " * 200 + "?",
        "without",
        "",
    ]
