"""When the evidence of both texts, and no frame of a sentence, says that a newer text replaces an older one."""

from __future__ import annotations

import pytest

from memory.memories.replacement.claims import read_claims
from memory.memories.replacement.decision import Succession, decide, decide_by_frames
from memory.memories.replacement.evidence import WEIGHTS, pair_features
from memory.memories.replacement.text_features import read_sketch
from memory.memories.replacement.text_pair import read_pair

SURELY_REPLACED = """
The ferry to Aran leaves at 10:00. | The Aran ferry was rescheduled to 11:30.
Our accountant is Mr Sato. | Mr Sato retired and Ms Brandt does our books now.
The bridge is open to cars. | The council closed the bridge to cars last week.
The user's router is a Fritzbox. | The user swapped the Fritzbox for a Unifi.
Pavel has a rented room in Brno. | Pavel moved out of Brno and lives in Ostrava.
Deploys need two approvals. | Deploys need only one approval now.
Ilse wears a size 38. | Ilse wears a size 40 these days.
The retry limit is 3. | The retry limit was raised to 5.
The app is in beta. | The app left beta and is generally available.
The user wants summaries as bullet points. | The user no longer wants bullet points and asked for prose.
Payments run through Stripe. | Payments were migrated from Stripe to Adyen.
Teresa is Jo's supervisor. | Jo's supervisor is now Amadou.
"""
REPLACED = """The ferry to Aran leaves at 10:00. | The Aran ferry was rescheduled to 11:30.
Our accountant is Mr Sato. | Mr Sato retired and Ms Brandt does our books now.
The bridge is open to cars. | The council closed the bridge to cars last week.
The user's router is a Fritzbox. | The user swapped the Fritzbox for a Unifi.
Pavel has a rented room in Brno. | Pavel moved out of Brno and lives in Ostrava.
The cottage is for sale at 240,000 euros. | The cottage was sold on Monday.
Deploys need two approvals. | Deploys need only one approval now.
Ilse wears a size 38. | Ilse wears a size 40 these days.
The newsletter goes out on Tuesdays. | The newsletter has moved to Thursdays.
Joe is off work with a bad back. | Joe's back has healed and he is at work again.
The search index lives on node 3. | The search index was moved to node 7.
The retry limit is 3. | The retry limit was raised to 5.
Sven has no children. | Sven became a father in May.
The café accepts only cash. | The café takes cards now.
The app is in beta. | The app left beta and is generally available.
The user wants summaries as bullet points. | The user no longer wants bullet points and asked for prose.
The office dog is called Pixel. | Pixel, the office dog, passed away in March.
The meeting room has eight chairs. | Four more chairs were brought in, the meeting room has twelve.
Payments run through Stripe. | Payments were migrated from Stripe to Adyen.
Teresa is Jo's supervisor. | Jo's supervisor is now Amadou.
The garden gate is broken. | Uncle Ben repaired the garden gate.
Lea is learning the oboe. | Lea switched from the oboe to the clarinet.
The firm is looking for a cook. | The firm hired a cook, the position is filled.
Our printer is a Brother. | The Brother died and we bought an Epson.
The user runs Ubuntu 22.04 on the laptop. | The user's laptop was upgraded to Ubuntu 24.04.
The user takes vitamin D every day. | The user stopped taking vitamin D.
The user's team meets on Mondays at 10. | The team meeting was moved to Tuesdays.
The user is the treasurer of the sailing club. | The user handed the treasurer's post over to Piet.
The user has a broken toe. | The user's toe has healed.
The demo is on Thursday. | The demo got pushed to Friday.
The staging database is Postgres 13. | Staging's database runs Postgres 16 since Sunday.
The user trains for the Berlin marathon. | The user dropped out of the Berlin marathon.
The bakery opens at 7. | From now on the bakery opens at 6:30.
Kofi's car is a Fiat Punto. | Kofi scrapped the Punto and drives a Dacia.
Ticket 88 is assigned to Rosa. | Ticket 88 was reassigned to Tom.
The user's sister is pregnant. | The user's sister gave birth to a girl.
The grant application is pending. | The grant application was approved.
Production uses Node 18. | We moved production to Node 22 last week.
The user's budget for the trip is 2,000 euros. | The trip budget was cut to 1,500 euros.
The course has 18 participants. | Two dropped out, the course has 16 participants.
Rent is due on the 1st. | Rent is now due on the 5th.
Kim has braces. | Kim's braces were removed.
Henk is the goalkeeper of the first team. | Henk was replaced as goalkeeper by Sami.
The dishwasher is broken. | The dishwasher is working again.
The user wants to buy a Golf. | The user bought the Golf.
The offer is valid until Sunday. | The offer has expired.
Error budget is 0.1 %. | The error budget was doubled to 0.2 %.
Eli drinks his tea with sugar. | Eli has stopped taking sugar in his tea.
"""
# The same subject, and something happens: most pairs of a memory are of this kind.
KEPT = """
Gerda's allotment is number 14. | Gerda planted beans in the allotment.
The ferry to Aran leaves at 10:00. | The ferry from Aran leaves at 17:00.
Our accountant is Mr Sato. | Mr Sato's assistant has left the firm.
Malik is a trainee at the bakery. | Malik's brother quit his job at the bakery.
The user's router is a Fritzbox. | The user is thinking of buying a Unifi.
Pavel lives in Brno. | Pavel spends the summer in Ostrava.
Registration is open until Friday. | Registration costs 20 euros.
The cottage is for sale. | The house next to the cottage was sold.
Deploys need two approvals. | Deploys to staging need one approval.
The choir has 24 singers. | Six of the choir's singers are tenors.
Ravi captains the chess team. | Olga became captain of the rowing team.
The newsletter goes out on Tuesdays. | The newsletter has a new layout.
Joe works at the mill. | Joe has a week off from the mill.
The retry limit is 3. | Somebody suggested raising the retry limit to 5.
Sven has a son. | Sven's daughter was born in May.
The café accepts cash. | The café also takes cards now.
Zoe and Max are a couple. | Zoe and Max had an argument yesterday.
The app is in beta. | The website left beta in May.
The user wants summaries as bullet points. | The user asked what bullet points are called in French.
Nadia swims every morning. | Nadia cycled to the pool today.
The invoice for the roof is open. | The invoice for the gutters was settled.
The meeting room has eight chairs. | The meeting room has a new projector.
Payments run through Stripe. | Stripe was founded in 2010.
Payments run through Stripe. | Refunds were moved to Adyen.
Teresa is Jo's supervisor. | Teresa's supervisor is now Amadou.
The garden gate is broken. | The garden fence was repaired.
Lea is learning the oboe. | Lea bought a new reed for the oboe.
The licence is valid until June. | The passport was renewed until December.
Theo lives with Ana. | Theo and Ana redecorated their kitchen.
Nina works at the zoo. | The zoo closed its aquarium.
Omar drives a Skoda. | Omar changed the tyres of the Skoda.
Iris is on the board. | Iris left the board meeting early.
The dog sleeps in the hall. | The dog woke up at six now.
Our office is in Leeds. | Our office in Leeds was repainted.
Tom is a vet. | Tom gave up coffee.
Jana lives in Prague. | Jana sold her car in Prague.
The site is hosted at Hetzner. | The site's logo was replaced.
Bea has a cat. | Bea's cat had an operation and has recovered.
The user speaks Dutch. | The user moved to the Netherlands.
The lecture is on Monday. | The lecture was recorded and put online.
Ken is allergic to wool. | Ken bought a cotton jumper.
The library has 3,000 books. | The library lent 200 books last month.
Marta is the treasurer. | Marta was on television yesterday.
The user runs Ubuntu 22.04 on the laptop. | The user installed Docker on the laptop.
The user is looking for a flat in Graz. | The user visited a flat in Graz on Sunday.
The user takes vitamin D every day. | The user takes magnesium in the evening now.
The user's team meets on Mondays at 10. | The user's team won the quiz on Friday.
The user is the treasurer of the sailing club. | The user sold a boat to the sailing club.
The user pays 45 euros for the phone contract. | The user lost a phone worth 300 euros.
The user has a broken toe. | The user broke a glass.
Mira is on parental leave. | Mira's daughter started walking.
The demo is on Thursday. | The demo needs a new laptop.
The staging database is Postgres 13. | The staging server was moved to another rack.
The user trains for the Berlin marathon. | The user bought new running shoes.
The user lives in Graz. | The user changed the tyres of the car.
The user lives in Graz. | The user quit smoking.
The user lives in Graz. | The user's contract with the gym expired.
The user works as a cook. | The user cancelled the newspaper.
The user works as a cook. | The user moved to a bigger flat.
The user works at Siemens. | The user returned a parcel to Amazon.
The user has a son. | The user got a new boss.
The user has two cats. | The user sold two bicycles.
The user's favourite editor is Helix. | The user deleted the Helix config and wrote it again.
Ticket 88 is assigned to Rosa. | Rosa closed ticket 87.
Ticket 88 is assigned to Rosa. | Ticket 88 was mentioned in the stand-up.
The user's sister is pregnant. | The user's brother became a father.
The user prefers short answers. | The user stopped the build.
The user prefers short answers. | The user changed the topic to gardening.
The project uses Postgres. | The project dropped Python 3.8 support.
The project uses Postgres. | The project moved its docs to MkDocs.
The project uses Postgres. | The project switched its licence to MIT.
We deploy on Thursdays. | We hired a new designer on Thursday.
We use Slack for chat. | We ended the meeting in Slack early.
The launch is on 3 June. | The launch video was cut to two minutes.
Oda is vegetarian. | Oda's restaurant closed.
Oda lives in Bergen. | Oda joined a choir in Bergen.
Oda lives in Bergen. | Oda retired.
Oda is married to Ben. | Oda's friend Kim divorced.
Oda plays the harp. | Oda gave a concert in Rome.
Oda is 40. | Oda ran 40 kilometres.
The grant application is pending. | The grant application was 12 pages long.
Feature flag dark-checkout is off. | Feature flag light-checkout was switched on.
The printer is on the first floor. | The printer ran out of paper.
The price of the ticket is 20 euros. | The ticket machine was replaced.
The server has 64 GB of memory. | The server was rebooted.
The server runs in Frankfurt. | The server's disk was replaced in Frankfurt.
The garage door is green. | The garage was sold.
Jan owns a bookshop. | Jan's bookshop moved to Main Street.
Jan is learning Greek. | Jan finished his thesis.
Jan is learning Greek. | Jan gave up his job.
Jan has diabetes. | Jan recovered from the flu.
Jan has a flat in Ghent. | Jan left Ghent at noon.
The user's GP is Dr Lund. | Dr Lund prescribed new tablets.
Finn's scooter is red. | Finn fixed the brakes of the scooter.
The helpdesk closes at 17:00. | The helpdesk closed 40 tickets yesterday.
Ada sings in the chamber choir. | Ada sold tickets for the chamber choir.
Production uses Node 18. | The CI image was updated to Node 22.
Lars is the user's flatmate. | Lars quit his job.
The course has 18 participants. | The course was moved to room 9.
Rent is due on the 1st. | The rent was paid yesterday.
The repo is private. | The repo was renamed.
Kim has braces. | Kim lost a tooth.
The client pays by invoice. | The client paid the May invoice.
Henk is the goalkeeper of the first team. | The coach of the first team was sacked.
The dishwasher is broken. | The washing machine was repaired.
Jo lives with her parents. | Jo's parents sold their car.
The offer is valid until Sunday. | The shop closed on Sunday.
Our vet is in Mill Street. | Our vet hired an assistant.
Eli drinks his tea with sugar. | Eli switched off the kettle.
Eli drinks his tea with sugar. | Eli gave up sweets.
The user works at a school. | The school was closed on Monday.
The user works at a school. | The user resigned from the parish council.
The user studies law. | The user passed the first exam.
The user has a garden. | The user sold apples from the garden.
The user lives in Kiel. | The user cancelled the trip to Kiel.
The user lives in Kiel. | The user's office moved to another floor.
The user's car is a Seat. | The user's car was stolen and found again.
The user's car is a Seat. | The user changed the battery of the car.
The user's son is called Leo. | The user's son changed schools.
The user's son is called Leo. | The user renamed the file to leo.txt.
The team uses GitLab. | The team dropped the nightly build.
The team uses GitLab. | GitLab was down yesterday.
The API is written in Go. | The API's rate limit was removed.
The API is written in Go. | The API gateway was replaced.
Ben is the CTO. | Ben retired the old server.
Ben is the CTO. | Ben left the meeting early.
Ben is on holiday. | Ben finished his book.
Anna's exam is on Monday. | Anna's exam was marked.
The shop sells shoes. | The shop hired two people.
The kids go to Hill School. | The kids stopped fighting.
Mia is vegan. | Mia gave up her flat.
Mia is vegan. | Mia cooked a steak for her father.
The backup runs at 2:00. | The backup failed at 2:10.
I love coffee. | I went off coffee with sugar.
Hassan is vegan. | Hassan's restaurant is no longer vegan.
Ida likes jazz. | Ida has gone off jazz at breakfast.
Hassan plays chess. | Hassan's club stopped playing chess.
Grandpa takes sugar in his tea. | Grandpa takes no sugar in his coffee.
Maya lives in NYC. | Maya lives in New York.
We have three hens. | Two of our hens were sold.
My bike is broken. | My bike lamp was repaired.
The door is broken. | The cellar door was repaired.
I drink milk. | I stopped drinking milk with honey.
I take ibuprofen. | I no longer take ibuprofen at night.
I run. | I stopped running at the lake.
The shop uses Stripe. | The shop no longer uses Stripe for gift cards.
The office has a dog. | The office dog is no longer allowed in the kitchen.
I pay 900 euros rent. | I pay 90 euros for power.
Please call me Bob. | Please don't call me after nine.
"""


def cases(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("older", "newer"), cases(REPLACED))
def test_another_wording_is_noticed(older: str, newer: str) -> None:
    assert decide(older, newer).outcome in {Succession.REPLACES, Succession.MAY_REPLACE}


@pytest.mark.parametrize(("older", "newer"), cases(SURELY_REPLACED))
def test_much_evidence_is_enough(older: str, newer: str) -> None:
    assert decide(older, newer).outcome == Succession.REPLACES


@pytest.mark.parametrize(("older", "newer"), cases(KEPT))
def test_what_happens_to_a_subject_leaves_the_rest_of_it(older: str, newer: str) -> None:
    assert decide(older, newer).outcome != Succession.REPLACES


def test_every_feature_has_a_weight() -> None:
    pair = read_pair(read_sketch("The pool is closed."), read_sketch("The pool reopened."))

    assert pair_features(pair, is_one_person=True, are_apart=False).keys() == WEIGHTS.keys()


def test_what_asks_or_is_long_is_no_evidence() -> None:
    assert read_claims("Has the pool reopened?").sketch is None
    assert read_claims("word " * 100).sketch is None


def test_a_denial_of_the_whole_still_closes() -> None:
    pairs = [
        ("Please call me Bob.", "Please don't call me Bob any more."),
        ("I pay 900 euros rent.", "I pay 950 euros rent now."),
        ("The office has a dog.", "The office no longer has a dog."),
    ]

    assert {decide(*pair).outcome for pair in pairs} == {Succession.REPLACES}


def test_one_speaker_ends_nothing_of_another_one() -> None:
    pair = "I rent a studio near the harbour.", "Gave up my studio near the harbour."

    assert decide(*pair, is_one_person=False).outcome == Succession.NEITHER


@pytest.mark.parametrize("line", SURELY_REPLACED.strip().splitlines()[1:3])
def test_evidence_closes_no_statement(line: str) -> None:
    older, newer = line.split(" | ")

    assert decide(older, newer).outcome == Succession.REPLACES
    assert decide_by_frames(read_claims(older), read_claims(newer)).outcome == Succession.NEITHER
