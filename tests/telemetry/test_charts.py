"""Values become points of a line within the bounds of the drawing."""

from __future__ import annotations

from telemetry.metrics.charts import HEIGHT, WIDTH, chart


def test_the_first_value_is_left_the_last_right_and_the_highest_on_top() -> None:
    drawn = chart([1, 3, 2])

    assert drawn is not None
    assert [(dot.x, dot.y) for dot in drawn.dots] == [(0, HEIGHT), (WIDTH / 2, 0), (WIDTH, HEIGHT / 2)]
    assert list(drawn.lines) == [f"0.0,{HEIGHT:.1f} {WIDTH / 2},0.0 {WIDTH:.1f},{HEIGHT / 2}"]
    assert (drawn.low, drawn.high, drawn.zero) == (1, 3, None)


def test_a_day_without_a_value_interrupts_the_line() -> None:
    drawn = chart([1, None, 2, 3])

    assert drawn is not None
    assert len(drawn.lines) == 2
    assert len(drawn.dots) == 3


def test_bounds_can_be_fixed_and_nought_has_a_line() -> None:
    share, change = chart([0.5], least=0, most=1), chart([-0.1, 0.3])

    assert share is not None
    assert change is not None
    assert (share.low, share.high, share.dots[0].y) == (0, 1, HEIGHT / 2)
    assert change.zero == HEIGHT * 0.75


def test_equal_values_are_drawn_in_the_middle_and_none_not_at_all() -> None:
    level = chart([2, 2])

    assert level is not None
    assert {dot.y for dot in level.dots} == {HEIGHT / 2}
    assert chart([None, None]) is None
