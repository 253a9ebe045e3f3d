"""Relative dates made absolute, counted from the day on which they were said (a Friday)."""

from __future__ import annotations

from datetime import date

import pytest

from core.english.relative_dates import resolve_dates
from core.english.time_expressions import put_time_last

FRIDAY = date(2023, 6, 9)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("We sailed yesterday.", "We sailed on 8 June 2023."),
        ("Tomorrow we sail.", "On 10 June 2023 we sail."),
        ("I leave the day after tomorrow.", "I leave on 11 June 2023."),
        ("She booked a flight that leaves in two days.", "She booked a flight that leaves on 11 June 2023."),
        ("It was approved and I move in two weeks.", "It was approved and I move around 23 June 2023."),
        ("Rosa called: she arrives in two days.", "Rosa called: she arrives on 11 June 2023."),
        ("We drove to Rome and back in two days.", "We drove to Rome and back in two days."),
        ("It rained, and we mended it in two days.", "It rained, and we mended it in two days."),
        ("I left the day before yesterday.", "I left on 7 June 2023."),
        ("I was up last night.", "I was up on the night of 8 June 2023."),
        ("It rained this morning.", "It rained on the morning of 9 June 2023."),
        ("She called last Tuesday.", "She called on Tuesday, 6 June 2023."),
        ("She called last Friday.", "She called on Friday, 2 June 2023."),
        ("The exam is next Friday.", "The exam is on Friday, 16 June 2023."),
        ("The report is due by next Monday.", "The report is due by Monday, 12 June 2023."),
        ("We met on Monday.", "We met on Monday, 5 June 2023."),
        ("We swam on Monday.", "We swam on Monday, 5 June 2023."),
        ("We met Monday!", "We met on Monday, 5 June 2023!"),
        ("I see a dentist Monday and want advice.", "I see a dentist on Monday, 12 June 2023 and want advice."),
        ("We train Monday and Thursday.", "We train Monday and Thursday."),
        ("We worked until Monday.", "We worked until Monday."),
        ("Happy Friday!", "Happy Friday!"),
        ("We met on the 3rd.", "We met on 3 June 2023."),
        ("We met on the 15th.", "We met on 15 May 2023."),
        ("We will meet on the 5th.", "We will meet on 5 July 2023."),
        ("Rent is due on the 5th of each month.", "Rent is due on the 5th of each month."),
        ("We live on the 3rd floor and met.", "We live on the 3rd floor and met."),
        ("We will meet on Monday.", "We will meet on Monday, 12 June 2023."),
        ("The fair was last weekend.", "The fair was on the weekend of 3 June 2023."),
        ("We sailed this weekend.", "We sailed on the weekend of 3 June 2023."),
        ("We will sail this weekend.", "We will sail on the weekend of 10 June 2023."),
        ("We should sail this weekend.", "We should sail on the weekend of 10 June 2023."),
        ("I won a race this Tuesday.", "I won a race on Tuesday, 6 June 2023."),
        ("I will race this Tuesday.", "I will race on Tuesday, 13 June 2023."),
        ("I dread this weekend retreat in July.", "I dread this weekend retreat in July."),
        ("Ana said: on Monday the rest can be glued.", "Ana said: on Monday, 12 June 2023 the rest can be glued."),
        ("Ana said: on Monday the tide is high.", "Ana said: on Monday the tide is high."),
        ("I moved last month.", "I moved in May 2023."),
        ("I moved last year.", "I moved in 2022."),
        ("The trip is next month.", "The trip is in July 2023."),
        ("They married three years ago.", "They married around 2020."),
        ("He fell ill two weeks ago.", "He fell ill around 26 May 2023."),
        ("He left 10 days ago.", "He left on 30 May 2023."),
        ("He left a few weeks ago.", "He left a few weeks before 9 June 2023."),
        ("The baby comes in two months.", "The baby comes around August 2023."),
        ("I like what came of last week's meeting.", "I like what came of the meeting of the week before 9 June 2023."),
        (
            "I'm tired after last weekend's long boat trip.",
            "I'm tired after the long boat trip of the weekend of 3 June 2023.",
        ),
        ("Last week was wild.", "The week before 9 June 2023 was wild."),
        ("Yesterday was windy, and last month was worse.", "8 June 2023 was windy, and May 2023 was worse."),
        ("The regatta in Bari last summer was fun.", "The regatta in Bari in summer 2022 was fun."),
        ("I began about a year ago.", "I began around 2022."),
        ("On Monday, I sold it.", "On Monday, 5 June 2023, I sold it."),
        ("I read it on Monday Madness.", "I read it on Monday Madness."),
        ("We swam last summer.", "We swam in summer 2022."),
        ("The sprint ends on March 29.", "The sprint ends on March 29, 2023."),
        ("It was on March 29, 2021.", "It was on March 29, 2021."),
        ("It ends on Dec 31st.", "It ends on Dec 31st, 2022."),
        ("You may 3 times try.", "You may 3 times try."),
        ("The last time was fun.", "The last time was fun."),
        ("This week's been wild.", "This week's been wild."),
        ("We swam on 30 June. The next day we ate.", "We swam on 30 June 2023. On 1 July 2023 we ate."),
        (
            "We met on Monday and sailed the next morning.",
            "We met on Monday, 5 June 2023 and sailed on the morning of 6 June 2023.",
        ),
        ("We swam last weekend. The next day we ate.", "We swam on the weekend of 3 June 2023. The next day we ate."),
        ("We swam on 31 February 2023. The next day we ate.", "We swam on 31 February 2023. The next day we ate."),
        ("The next day we ate.", "The next day we ate."),
        ("He has run 9,999 days ago.", "He has run 9,999 days ago."),
        ("Cite *Gardening Today*, 2020.", "Cite *Gardening Today*, 2020."),
        ("Today we met.", "On 9 June 2023 we met."),
    ],
)
def test_relative_dates_become_absolute(said: str, meant: str) -> None:
    assert resolve_dates(said, said_on=FRIDAY) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("The wedding is on 3 January.", "The wedding is on 3 January 2024."),
        ("The concert is on January 3.", "The concert is on January 3, 2024."),
        ("We met on 3 January.", "We met on 3 January 2023."),
        ("I ordered a lamp, and it comes on Thursday.", "I ordered a lamp, and it comes on Thursday, 15 June 2023."),
        ("The viewing is on Saturday.", "The viewing is on Saturday, 10 June 2023."),
        ("We leave on 4 July, and are back on the 16th.", "We leave on 4 July 2023, and are back on 16 July 2023."),
        ("Born on 3 May 1990, I will leave on the 15th.", "Born on 3 May 1990, I will leave on 15 June 2023."),
        ("She signed her will on 3 May.", "She signed her will on 3 May 2023."),
        ("Ida read Ana's will draft on 3 May.", "Ida read Ana's will draft on 3 May 2023."),
        ("The course starts on 28 May.", "The course starts on 28 May 2023."),
        ("I bought a car Friday and want to sell it.", "I bought a car on Friday, 2 June 2023 and want to sell it."),
        ("It's 95 % done by March 1.", "It's 95 % done by March 1, 2023."),
        ("I will say that we met on 3 May.", "I will say that we met on 3 May 2023."),
        ("We left on 28 May, and were back on the 2nd.", "We left on 28 May 2023, and were back on 2 June 2023."),
    ],
)
def test_what_is_still_to_come_gets_a_day_to_come(said: str, meant: str) -> None:
    assert resolve_dates(said, said_on=FRIDAY) == meant


@pytest.mark.parametrize(
    ("said", "said_on", "meant"),
    [
        ("We skied this winter.", date(2024, 3, 15), "We skied in winter 2023/2024."),
        ("We will ski this winter.", date(2024, 3, 15), "We will ski in winter 2024."),
        ("We ski this winter.", date(2024, 12, 15), "We ski in winter 2024."),
    ],
)
def test_a_winter_that_is_running_has_two_years(said: str, said_on: date, meant: str) -> None:
    assert resolve_dates(said, said_on=said_on) == meant


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Since last Friday I live in Rome.", "I live in Rome since last Friday."),
        ("As of May 2024, my rent is 905.", "my rent is 905 as of May 2024."),
        ("The next morning I quit my job!", "I quit my job the next morning!"),
        ("Since you ask I live in Rome.", "Since you ask I live in Rome."),
        ("Last week was wild.", "Last week was wild."),
    ],
)
def test_a_time_in_front_is_put_last(said: str, read: str) -> None:
    assert put_time_last(said) == read
