"""What a text says is so and what it says is over; what one says is so and a newer one says is over is replaced."""

from __future__ import annotations

import pytest

from memory.memories.replacement.decision import Succession, decide
from memory.memories.replacement.polarity import read_mentions

OVER = """
Kim gave up smoking cigars. | smoking, cigars
They fired Greg from the airport job. | Greg, airport job
She quit tea and coffee. | tea, coffee
I quit my job at Google. | job, Google
We sold our boat in Oslo. | boat
Wiped Windows off my laptop. | Windows, laptop
The cast is off. | cast, is
The parade was cancelled. | parade
Luna died. | Luna
The user no longer uses Chrome. | uses, Chrome
Tea instead of coffee, please. | coffee
Kick-off isn't three any more but half past five. | three
We went from Asana to Linear. | Asana
She came back from leave. | leave
Magda hasn't left Allegro. |
I wasn't laid off from the mill. |
Five seats are left. |
The flat is close to the beach. |
There's no fruit I like better than plums. |
"""
ENDS = """
Paula sings in the church choir. | Paula left the choir in spring.
I have a subscription to Spotify. | I cancelled my Spotify subscription yesterday.
The user plays badminton. | The user gave up badminton because of a knee.
Lucy has a rabbit. | Lucy gave the rabbit to her cousin.
My parents own a caravan. | My parents got rid of the caravan.
Our dog is called Bella. | Bella died in her sleep on Sunday.
The user has a sore throat. | The user's sore throat is gone.
The street party is on 4 June. | The street party was cancelled because of the rain.
Max drives a Skoda. | Max's Skoda was stolen on Friday.
We get our eggs from Miller's farm shop. | Miller's farm shop was shut down.
Mia is friends with Zoe. | Mia isn't friends with Zoe any more.
The clinic takes walk-ins. | The clinic doesn't take walk-ins any longer.
Our office is on Park Lane. | Our office isn't on Park Lane any longer.
The seminar is on Tuesday. | The seminar takes place on Wednesday rather than Tuesday.
I write with a fountain pen. | I write with a ballpoint now, not a fountain pen.
The report goes to Mr. Hill. | Please send the report to Ms. Dorn, no longer to Mr. Hill.
User's car insurance is with Allianz. | The user switched car insurance from Allianz to HUK.
Timo doesn't eat fish. | Timo eats fish again.
The heating doesn't work. | The heating works again.
Lea avoids sugar. | Lea is eating sugar again.
Paul hasn't paid the bill yet. | Paul paid the bill on Monday.
My passport is at home. | I took my passport to the office, it's in the safe.
The sofa is in the den. | We shifted the sofa and it's in the hall now.
Grandma lives on a farm. | Grandma moved to Bristol.
The team prefers Zoom. | The team wants Teams instead of Zoom from now on.
Staff park behind the building. | Staff have to park in the street now, no longer behind the building.
"""
STAYS = """
Paula sings in the church choir. | Paula left the choir practice early.
We keep bees. | We sold a jar of honey.
I have a subscription to Spotify. | I cancelled my Netflix subscription.
Nina works for the police. | Nina resigned from the tennis club.
Our dog is called Bella. | The neighbours' dog died.
The street party is on 4 June. | The street party in Elm Road was cancelled.
Karl lives in Trier. | Karl's brother no longer lives in Trier.
I eat lunch at the canteen. | I don't eat dessert at the canteen any more.
Tom wears glasses. | Tom hasn't stopped wearing glasses.
My desk is by the window. | The plant is by the door now, not by the window.
I write with a fountain pen. | I sign with a blue pen, not a black one.
Timo doesn't eat fish. | Timo goes fishing again.
I don't drink coffee. | I made coffee for the guests again.
Paul hasn't paid the bill yet. | Paul paid the rent on Monday.
My passport is at home. | I took my laptop to the office, it's in the safe.
The vase is on the table. | We moved the lamp and it's on the shelf now.
Grandma lives on a farm. | Grandma moved to the front of the queue.
Dora lives in a village near Pisa. | Dora moved her savings to a bank in Florence.
I like my steak rare. | I want to learn how to cook steak now.
Kofi quit smoking. | Kofi doesn't smoke any more.
Martin smokes. | Martin has sworn to quit smoking on New Year's Day.
My car is a Polo. | I sold my first car, a Panda, years ago.
The concert is in June. | I read somewhere that the concert was cancelled.
Simon gets up at five. | Now that school is out, Simon's daughter gets up at ten.
Rent for the garage is 60 euros. | Rent for the flat has gone up to 820 euros.
The May report is due on the 10th. | They've postponed the April report to the 14th.
"""


def _pairs(table: str) -> list[list[str]]:
    return [line.split(" |") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("text", "over"), _pairs(OVER))
def test_triggers_turn_what_is_in_their_scope(text: str, over: str) -> None:
    found = [" ".join(word.text for word in each.words) for each in read_mentions(text) if not each.is_so]

    assert ", ".join(found) == over.strip()


@pytest.mark.parametrize(("older", "newer"), _pairs(ENDS))
def test_what_was_so_and_is_over_is_replaced(older: str, newer: str) -> None:
    assert decide(older, newer).outcome == Succession.REPLACES


@pytest.mark.parametrize(("older", "newer"), _pairs(STAYS))
def test_another_one_a_part_or_a_plan_replaces_nothing(older: str, newer: str) -> None:
    assert decide(older, newer).outcome != Succession.REPLACES


@pytest.mark.parametrize(("older", "newer"), [
    ("Yusuf's number ends in 44.", "Yusuf's wife has a new number that ends in 12."),
    ("Mara's rent is 700.", "Mara's sister has a new rent of 800."),
    ("Jonas pays 450 for his room.", "The student across the hall from Jonas pays 520 for hers."),
    ("I drive a Golf.", "My neighbour drives a Saab now."),
    ("Ben's car is a Volvo.", "Ben's brother has a new car, a Saab."),
])  # fmt: skip
def test_what_is_so_of_somebody_near_replaces_nothing(older: str, newer: str) -> None:
    assert decide(older, newer).outcome != Succession.REPLACES
