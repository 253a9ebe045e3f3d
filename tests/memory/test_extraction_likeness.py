"""How close two statements must be to count as one: pairs, measured with the bundled model."""

from __future__ import annotations

import pytest

from core.embedding import default_embedder
from memory.extraction.dedup import say_the_same

Pairs = list[tuple[str, str]]

# The thresholds were set on the first two tables, and the last two written afterwards.
SAME: Pairs = [
    ("The user prefers tea to coffee.", "The user prefers tea over coffee."),
    ("The user prefers dark mode in the editor.", "The user prefers the editor in dark mode."),
    ("The user is allergic to peanuts.", "The user has an allergy to peanuts."),
    ("The user lives in Bern.", "The user lives in Bern, Switzerland."),
    ("The user works as a nurse at the city hospital.", "The user is a nurse who works at the city hospital."),
    ("The user decided to use Postgres for the project.", "The user has decided on using Postgres for the project."),
    ("The user wants answers in German.", "The user wants all answers in German."),
    ("Maria plays the violin in an orchestra.", "Maria plays violin in the orchestra."),
    ("The user's daughter is called Emma.", "The user's daughter is named Emma."),
    ("The user's favourite colour is green.", "The user's favorite color is green."),
    ("The user does not eat meat.", "The user doesn't eat any meat."),
    ("The user runs every morning before work.", "The user goes running every morning before work."),
    ("The user has a dog named Rex.", "The user has a dog called Rex."),
    ("The user and others decided to deploy on Fridays.", "The user and others have decided to deploy on Fridays."),
    ("The user speaks German and French.", "The user speaks French and German."),
    ("The user likes hiking in the mountains.", "The user enjoys hiking in the mountains."),
    ("The user is responsible for the billing service.", "The user is the one responsible for the billing service."),
    ("The user's birthday is on 4 May.", "The user has their birthday on 4 May."),
    ("The user uses a standing desk at the office.", "The user uses a standing desk in their office."),
    ("The user wants the report as a PDF file.", "The user wants the report in PDF format."),
    ("The user has moved to Oslo for a new job.", "The user moved to Oslo for a new job."),
    ("The user prefers short answers without examples.", "The user prefers short answers with no examples."),
    (
        "The user plans to visit Japan in spring with their two children and to stay in Kyoto for ten days.",
        "In spring, the user will visit Japan with their two children, staying ten days in Kyoto.",
    ),
    (
        "The user's team deploys the billing service every Thursday evening after the stand-up meeting.",
        "The user's team deploys the billing service each Thursday evening after the standup meeting.",
    ),
    (
        "The user wants every weekly report about sales to be sent to the finance team as a spreadsheet.",
        "The user wants all weekly sales reports sent to the finance team as spreadsheets.",
    ),
    ("The user has a car.", "The user owns a car."),
    ("The user is a vegetarian.", "The user is vegetarian."),
    ("The user loves jazz music.", "The user really loves jazz music."),
    ("The user is a teacher at a primary school.", "The user works as a primary school teacher."),
    ("The user hates flying.", "The user hates to fly."),
    ("The user would rather work from home.", "The user would rather be working from home."),
    ("The user's company is based in Lisbon.", "The user's company is located in Lisbon."),
    ("The user gets up at 6 every day.", "The user gets up every day at 6."),
    ("The user bought a house in 2021.", "In 2021, the user bought a house."),
    ("The user wants concise answers.", "The user wants brief answers."),
    ("The user is learning Spanish.", "The user is currently learning Spanish."),
    ("The user takes their coffee black.", "The user drinks their coffee black."),
    ("Tom volunteers at the animal shelter on weekends.", "Tom volunteers at an animal shelter at weekends."),
    ("The user never works on Sundays.", "The user does not work on Sundays."),
    ("The user's manager is Priya.", "Priya is the user's manager."),
]

DIFFERENT: Pairs = [
    ("The user prefers tea.", "The user prefers coffee."),
    ("The user prefers dark mode in the editor.", "The user prefers light mode in the editor."),
    ("The user likes coffee.", "The user does not like coffee."),
    ("The user lives in Bern.", "The user lives in Basel."),
    ("The user has two cats.", "The user has three cats."),
    ("The user's birthday is on 4 May.", "The user's birthday is on 5 May."),
    ("The user's son is called Max.", "The user's daughter is called Max."),
    ("The user decided to use Postgres for the project.", "The user decided to use MySQL for the project."),
    ("The user wants to be called Al.", "The user wants to be called Bo."),
    ("The user works at Acme as an engineer.", "The user works at Umbrella as an engineer."),
    ("The user started smoking last year.", "The user stopped smoking last year."),
    ("The user is allergic to peanuts.", "The user is allergic to penicillin."),
    ("Maria plays the violin in an orchestra.", "Maria plays the cello in an orchestra."),
    ("Maria plays the violin.", "Anna plays the violin."),
    ("The user's meeting is on Monday morning.", "The user's meeting is on Tuesday morning."),
    ("The user always deploys before lunch.", "The user always deploys after lunch."),
    ("The user speaks German and French.", "The user speaks German and Spanish."),
    ("The user's favourite colour is green.", "The user's favourite colour is blue."),
    ("The user's wife works at the city hospital.", "The user's sister works at the city hospital."),
    ("The user uses Python for the backend service.", "The user uses Python for the frontend service."),
    ("The user prefers the window seat on long flights.", "The user prefers the aisle seat on long flights."),
    (
        "The user plans to visit Japan in spring with their family.",
        "The user plans to visit Japan in autumn with their family.",
    ),
    (
        "The user wants the weekly report sent to Alice by email.",
        "The user wants the weekly report sent to Bob by email.",
    ),
    ("The user's server runs version 14.2 of the database.", "The user's server runs version 15.1 of the database."),
    ("The user owns a red bicycle and rides it to work.", "The user owns a blue bicycle and rides it to work."),
    (
        "The user grew up in a small village in the north of Spain.",
        "The user grew up in a small village in the south of Spain.",
    ),
    ("The user is married.", "The user is single."),
    ("The user eats meat.", "The user never eats meat."),
    ("The user wants to learn the guitar this year.", "The user wants to learn the piano this year."),
    ("The user's mother lives in Lyon with two dogs.", "The user's father lives in Lyon with two dogs."),
    ("The user manages the design team at the Berlin office.", "The user manages the sales team at the Berlin office."),
    ("The user takes the medicine in the morning with food.", "The user takes the medicine in the evening with food."),
    ("The user wants code examples in Rust.", "The user wants code examples in Go."),
    (
        "The user plans to visit Japan in spring with their two children and to stay in Kyoto for ten days.",
        "The user plans to visit Japan in autumn with their two children and to stay in Kyoto for ten days.",
    ),
    (
        "The user plans to visit Japan in spring with their two children and to stay in Kyoto for ten days.",
        "The user plans to visit Japan in spring with their two parents and to stay in Kyoto for ten days.",
    ),
    (
        "The user's team deploys the billing service every Thursday evening after the stand-up meeting.",
        "The user's team deploys the search service every Thursday evening after the stand-up meeting.",
    ),
    (
        "The user's team deploys the billing service every Thursday evening after the stand-up meeting.",
        "The user's team deploys the billing service every Friday evening after the stand-up meeting.",
    ),
    (
        "The user wants every weekly report about sales to be sent to the finance team as a spreadsheet.",
        "The user wants every monthly report about sales to be sent to the finance team as a spreadsheet.",
    ),
    (
        "The user wants every weekly report about sales to be sent to the finance team as a spreadsheet.",
        "The user wants every weekly report about sales to be sent to the legal team as a spreadsheet.",
    ),
    ("The user prefers tea to coffee.", "The user prefers coffee to tea."),
    ("Anna lent Tom her car for the trip to Rome.", "Tom lent Anna his car for the trip to Rome."),
    ("The user works from home on Mondays and Tuesdays.", "The user works from home on Mondays and Thursdays."),
    ("The user is afraid of dogs.", "The user is afraid of frogs."),
    ("The user's brother is a doctor.", "The user's mother is a doctor."),
    ("The user turned the notifications on.", "The user turned the notifications off."),
    ("The user flew from Paris to Rome.", "The user flew from Rome to Paris."),
    ("The user drinks coffee with milk.", "The user drinks coffee without milk."),
    ("The user wants concise answers.", "The user wants detailed answers."),
    ("The user studies law.", "The user studies physics."),
    ("The user can eat nuts.", "The user can't eat nuts."),
    ("The user's cat is ill.", "The user's cat was ill."),
    ("The user wants to buy a house.", "The user bought a house."),
    ("The user used to smoke.", "The user uses smoke."),
    ("The user uses Python for scripts.", "The user wants to use Python for scripts."),
    ("The user likes the new office.", "The user likes the old office."),
    ("The user has a sister in Berlin.", "The user has a sister in Munich."),
    ("The user is the owner of the red team's backlog.", "The user is the owner of the blue team's backlog."),
    ("The user wants meetings before ten in the morning.", "The user wants meetings after ten in the morning."),
    ("The user's flight leaves at 9:30.", "The user's flight leaves at 9:45."),
    ("Maria decided to paint the kitchen.", "Maria decided to paint the bathroom."),
    (
        "The user wants documentation in English and code comments in German.",
        "The user wants documentation in German and code comments in English.",
    ),
    ("The user may drink alcohol.", "The user must drink alcohol."),
    ("The user loves jazz music.", "The user's wife loves jazz music."),
    ("The user's wife is allergic to cats.", "The user is allergic to cats."),
    (
        "The user has a meeting with Bob about the budget.",
        "The user has a meeting with Bob about the budget of the garden project.",
    ),
]

SAME_HELD_OUT: Pairs = [
    ("The user is scared of heights.", "The user is afraid of heights."),
    ("The user drives an electric car.", "The user drives electric cars."),
    ("The user's office is on the third floor.", "The user's office is located on the third floor."),
    ("The user decided to cancel the gym membership.", "The user has decided to cancel their gym membership."),
    ("Priya leads the platform team.", "Priya is the lead of the platform team."),
    ("The user wants invoices in euros.", "The user wants their invoices in euros."),
    ("The user collects vinyl records.", "The user collects old vinyl records."),
    ("The user needs wheelchair access.", "The user needs access for a wheelchair."),
    ("The user is preparing for a marathon.", "The user is preparing for a marathon run."),
    ("The user hates phone calls.", "The user really hates phone calls."),
    (
        "The user and others decided to switch to weekly releases.",
        "The user and others decided on switching to weekly releases.",
    ),
    ("The user plays chess online.", "The user likes to play chess online."),
    ("The user sleeps badly when it is hot.", "The user sleeps poorly when it is hot."),
    ("The user's son goes to school in Graz.", "The user's son attends school in Graz."),
    ("The user wants error messages in plain English.", "The user wants all error messages in plain English."),
]

DIFFERENT_HELD_OUT: Pairs = [
    ("The user is scared of heights.", "The user is scared of spiders."),
    ("The user drives an electric car.", "The user drives an electric bus."),
    ("The user's office is on the third floor.", "The user's office is on the fourth floor."),
    ("The user decided to cancel the gym membership.", "The user decided to renew the gym membership."),
    ("Priya leads the platform team.", "Priya leads the security team."),
    ("The user wants invoices in euros.", "The user wants invoices in dollars."),
    ("The user collects vinyl records.", "The user sells vinyl records."),
    ("The user needs wheelchair access.", "The user needs admin access."),
    ("The user is preparing for a marathon.", "The user is preparing for an exam."),
    ("The user hates phone calls.", "The user hates video calls."),
    (
        "The user and others decided to switch to weekly releases.",
        "The user and others decided to switch to monthly releases.",
    ),
    ("The user plays chess online.", "The user teaches chess online."),
    ("The user sleeps badly when it is hot.", "The user sleeps badly when it is cold."),
    ("The user's son goes to school in Graz.", "The user's daughter goes to school in Graz."),
    ("The user wants error messages in plain English.", "The user wants log messages in plain English."),
    ("The user takes two tablets of aspirin per day.", "The user takes two tablets of ibuprofen per day."),
    ("The user is paid monthly.", "The user is paid weekly."),
    (
        "The user reports to Kim in the Vienna office on all hiring questions.",
        "The user reports to Lee in the Vienna office on all hiring questions.",
    ),
    (
        "The user moved from London to Madrid for their partner's new job at a bank.",
        "The user moved from London to Malaga for their partner's new job at a bank.",
    ),
    (
        "The user prefers to be contacted by email about anything that concerns billing.",
        "The user prefers to be contacted by phone about anything that concerns billing.",
    ),
    ("The user prefers React for new pages.", "The user prefers Vue for new pages."),
    ("The user's grandmother was born in Poland.", "The user's grandfather was born in Poland."),
    ("The user wants to stay in the hotel near the station.", "The user wants to stay in the hotel near the airport."),
    ("The user keeps the spare key under the mat.", "The user keeps the spare key under the pot."),
    ("The user likes Italian food.", "The user likes Indian food."),
    ("The user supports Arsenal.", "The user supports Chelsea."),
    ("The user writes tests before the code.", "The user writes the code before tests."),
    ("The user may work remotely.", "The user must work remotely."),
    ("The user rents the flat.", "The user rents out the flat."),
    ("The user's phone has a cracked screen.", "The user's laptop has a cracked screen."),
    ("The user has a nut allergy.", "The user's colleague has a nut allergy."),
    ("The user's team uses feature flags in production.", "The user's team uses feature flags in staging."),
]


@pytest.mark.parametrize("pairs", [DIFFERENT, DIFFERENT_HELD_OUT])
@pytest.mark.heavy
def test_what_differs_is_never_merged(pairs: Pairs) -> None:
    assert _merged(pairs) == []


@pytest.mark.parametrize(("pairs", "least"), [(SAME, 22), (SAME_HELD_OUT, 11)])
@pytest.mark.heavy
def test_most_of_what_says_the_same_is_merged(pairs: Pairs, least: int) -> None:
    assert len(_merged(pairs)) >= least, f"of {len(pairs)}"


@pytest.mark.heavy
def test_merging_has_no_direction() -> None:
    for pairs in (SAME, DIFFERENT, SAME_HELD_OUT, DIFFERENT_HELD_OUT):
        assert _merged([(other, one) for one, other in pairs]) == [(other, one) for one, other in _merged(pairs)]


def test_without_vectors_only_the_same_words_are_merged() -> None:
    for pairs in (DIFFERENT, DIFFERENT_HELD_OUT):
        assert [pair for pair in pairs if say_the_same(*pair, cosine=None)] == []
    assert say_the_same("The user prefers tea to coffee.", "The user prefers tea over coffee.", cosine=None)
    assert say_the_same("The user prefers tea.", "the user  prefers TEA", cosine=None)
    assert not say_the_same("The user has a car.", "The user owns a car.", cosine=None)


def _merged(pairs: Pairs) -> Pairs:
    embedder = default_embedder()
    assert embedder is not None
    ones, others = zip(*pairs, strict=True)
    vectors = zip(embedder.embed_passages(ones), embedder.embed_passages(others), strict=True)
    cosines = [sum(a * b for a, b in zip(one, other, strict=True)) for one, other in vectors]
    return [pair for pair, cosine in zip(pairs, cosines, strict=True) if say_the_same(*pair, cosine=cosine)]
