"""When a newer sentence replaces an older one, as a table of cases; and when it only seems to."""

from __future__ import annotations

import pytest

from memory.memories.replacement.decision import Succession, decide

REPLACED = """
I live in Rome. | I have moved to Oslo.
I live in Rome | I live in Oslo
I live in Rome | I no longer live in Rome
Anna lives in Rome | Anna relocated from Rome to Oslo last month
The user lives in Berlin. | The user moved to Hamburg in March 2026.
Anna works at Google | Anna quit Google and joined Meta
Anna works at Google | Anna left her job at Google
Anna works at Google | Anna now works for Meta
Anna works as a nurse. | Anna was promoted to head nurse
My phone number is 555-1234. | My phone number changed to 555-9876
My email is anna@example.com | My new email address is anna@example.org
My favourite colour is blue | My favourite color is green now
Anna's favorite food is sushi | Anna's favorite food is now ramen
The meeting is on Tuesday at 10 | The meeting was moved to Thursday
The deadline for the report is Friday | The deadline for the report has been pushed back to Monday
The price of the Pro plan is $10 | The Pro plan now costs $12
The Pro plan costs $10 per month | The Pro plan costs $12 per month
Anna likes sushi | Anna does not like sushi any more
Anna likes tea | Anna hates tea now
Anna is vegetarian | Anna became vegan
Anna is vegan | Anna started eating meat again
Anna is vegetarian | Anna eats meat again
Anna is married to Bob | Anna and Bob got divorced
Anna is married to Bob | Anna divorced Bob
Anna is dating Tom | Anna broke up with Tom
Anna is single | Anna got engaged to Tom
Anna drives a Toyota | Anna sold her Toyota and bought a Volvo
Anna drives a Toyota | Anna drives a Volvo now
I use VS Code | I switched to Neovim
I use Chrome as my browser | I switched from Chrome to Firefox
We use PostgreSQL for billing | We migrated from PostgreSQL to CockroachDB
The project is called Apollo | The project was renamed to Artemis
The project is called Apollo | Apollo was renamed to Artemis
The budget is 10,000 euros | The budget was raised to 12,000 euros
My manager is Kim | My manager is Lee
Anna's boss is Kim | Anna's boss is now Lee
Anna has a dog named Rex | Anna no longer has a dog
Anna smokes | Anna quit smoking
Anna plays the piano | Anna stopped playing the piano
Anna eats meat | Anna does not eat meat any more
Anna prefers tea over coffee | Anna prefers coffee over tea
I prefer dark mode | I prefer light mode now
Anna plans to visit Rome in May | Anna no longer plans to visit Rome in May
The team has 5 members | The team has 7 members
Anna is 34 years old | Anna is 35 years old
The spare key is under the mat | The spare key is in the drawer
The office is located in Main Street | The office moved to Pine Street
The launch is on 1 May | We postponed the launch to 15 June
The server runs version 2.1 | The server was upgraded to version 2.2
The task is in progress | The task is done
The shop opens at 9 | The shop now opens at 10
Anna takes the bus to work | Anna cycles to work now
Anna takes the train to work | Anna drives to work now instead of taking the train
The standup is at 9:30 | The standup starts at 10:00 now
Anna reports to Kim | Anna reports to Lee
Anna drinks coffee | Anna drinks tea instead of coffee
Anna uses Notion | Anna gave up Notion for Obsidian
The meeting is on Friday | The meeting has been cancelled
I live in Oslo | I live in Rome
Anna lives in Rome | Anna has moved. She lives in Oslo now.
The user's wife works at Siemens | The user's wife left Siemens for Bosch
Anna attends Harvard | Anna transferred to Stanford
Anna wants to be called Annie | Anna goes by Ann now
Anna used to live in Paris | Anna lives in Paris again
Anna has a Netflix subscription | Anna cancelled her Netflix subscription
Anna's wedding is on 3 June | Anna's wedding has been moved to 10 June
Our stack runs on AWS | Our stack runs on Azure now
I am allergic to nuts | I am no longer allergic to nuts
Maria lives in Lisbon. | As of 2026-03-01 Maria lives in Porto.
Anna's car is a Volvo | Anna's car is now a Tesla
Anna works at Globex as an accountant | Anna started at Initech on Monday
The user prefers tabs | The user now prefers spaces
Project Falcon's deadline is June 3 | Project Falcon's deadline moved to June 17
The API rate limit is 100 requests per minute | We raised the API rate limit to 200 requests per minute
Standup is at 9:00 | Standup moved to 9:30
Staging runs Python 3.11 | Staging was upgraded to Python 3.12
The team lead is Bob | The team lead is Carol now
My doctor is Dr. Smith | My new doctor is Dr. Lee
I take 20 mg of Prozac | I take 40 mg of Prozac now
Sara has a subscription to Netflix | Sara cancelled her Netflix subscription
Tim's flight leaves at 14:00 | Tim's flight got delayed to 16:30
The contract ends in December | The contract was extended to March
The default branch is master | The default branch was renamed to main
Lisa goes to the gym on Mondays | Lisa goes to the gym on Wednesdays now
The invoice is unpaid | The invoice has been paid
The ticket is open | The ticket was closed
I drive a Honda Civic | I sold the Civic and bought a Tesla Model 3
User weighs 80 kg | User weighs 75 kg now
Jake is learning French | Jake switched from French to Spanish
We deploy on Fridays | We no longer deploy on Fridays
We deploy on Fridays | We deploy on Tuesdays now
My favorite band is Queen | My favorite band is no longer Queen, it's Muse
I go to bed at 11pm | I now go to bed at 10pm
The user's budget is $500 | The user increased the budget to $750
Nora's email is nora@old.com | Nora can now be reached at nora@new.com
Nora's email is nora@old.com | Nora changed her email to nora@new.com
Nora's email address is nora@old.com | Nora's email address is no longer nora@old.com
Mia's address is 5 Oak Street | Mia moved to 12 Elm Avenue
The user lives in Boston | The user just relocated to Denver for a new job
The user is a vegetarian | The user has started eating meat again
We use React for the frontend | We are using Vue for the frontend now instead of React
The launch date is 1 June | The launch date slipped to 15 June
Tom is engaged to Lucy | Tom and Lucy called off their engagement
Tom is engaged to Lucy | Tom married Lucy
Ben studies physics | Ben switched his major from physics to computer science
Ben's major is physics | Ben changed his major to computer science
The store closes at 8pm | The store closes at 9pm from now on
Anna's manager is Paul | Anna now reports to Rita
Anna's manager is Paul | Anna has a new manager, Rita
The subscription costs $9.99 a month | The subscription is $12.99 a month now
The meeting room is B12 | The meeting room has changed to C3
I'm a night owl | I'm no longer a night owl
Zoe wears glasses | Zoe doesn't wear glasses anymore
Omar plays for FC Porto | Omar now plays for Benfica
The user's timezone is CET | The user's timezone is now EST
The user prefers short answers | The user now prefers long answers
The user's preferred language is German | The user's preferred language is English now
The main database is MySQL | The main database is now PostgreSQL
I have two kids | I have three kids now
Kate's car is a Mini | Kate replaced her Mini with a Volvo
Our office is on the 3rd floor | Our office moved to the 5th floor
My phone is an iPhone 12 | I got a new phone, a Pixel 8
The password rotation is every 90 days | The password rotation is now every 30 days
Ella is on the design team | Ella moved to the platform team
Ella is on the design team | Ella is on the platform team now
Greg is single | Greg is dating Hannah
Greg works at Siemens | Greg is unemployed now
Ivan is 29 | Ivan turned 30
Ivan's birthday party is on Saturday | Ivan's birthday party has been moved to Sunday
Backups run at 2am | Backups run at 4am now
Pia commutes by train | Pia now bikes to work
The trial lasts 14 days | The trial lasts 30 days now
Alice lives in Berlin. | Alice moved to Munich in June.
Alice lives in Berlin. | Alice doesn't live in Berlin anymore.
Alice lives in Berlin with her cat. | Alice is living in Hamburg now.
The user works as a data analyst at Acme. | The user left Acme and is now a product owner at Initech.
The user works at Acme. | The user got laid off from Acme.
Dr. Chen is my dentist. | My dentist is now Dr. Patel.
Carla's birthday is on 4 May. | Correction: Carla's birthday is on 14 May.
The team meeting is every Monday at 9am. | The team meeting was rescheduled to Wednesdays at 10am.
Our sprint length is two weeks. | Our sprint length is now three weeks.
The project deadline is 30 November. | The project deadline got extended to 15 December.
The conference is in Vienna. | The conference has been moved to Prague.
The default timeout is 30 seconds. | The default timeout was raised to 60 seconds.
The monthly rent is 1200 euros. | The monthly rent increased to 1350 euros.
Mark drives a BMW. | Mark traded his BMW for an Audi.
Mark drives a BMW. | Mark bought an electric car instead of the BMW.
Mark has a motorcycle. | Mark sold his motorcycle.
Lucy has a cat. | Lucy gave her cat away.
Lucy likes spicy food. | Lucy doesn't like spicy food any more.
Lucy prefers email. | Lucy prefers phone calls now.
Lucy prefers window seats. | Lucy prefers aisle seats these days.
Nina is vegan. | Nina eats fish now.
Nina is vegan. | Nina stopped being vegan.
Nina is studying medicine. | Nina switched from medicine to law.
Nina studies at Harvard. | Nina now studies at Yale.
Nina is learning Spanish. | Nina has stopped learning Spanish.
We use Jira. | We replaced Jira with Linear.
We host on Heroku. | We moved from Heroku to Fly.
The backend is written in Python. | The backend is now written in Go.
The app's name is Sparrow. | The app was renamed from Sparrow to Falcon.
The status of ticket 42 is open. | Ticket 42 is closed now.
The store opens at 8. | The store opens at 9 instead of 8 now.
The current release is 2.1. | The current release is 2.2.
The latest version of the SDK is 1.4. | The latest version of the SDK is 1.5.
My laptop is a ThinkPad. | My new laptop is a MacBook.
Oscar is married to Jane. | Oscar and Jane are divorced.
Oscar is Jane's boyfriend. | Oscar and Jane broke up.
Oscar is single. | Oscar is in a relationship with Mia.
Paula is pregnant. | Paula is no longer pregnant.
Paula takes the bus to work. | Paula bikes to work these days.
Paula plans to visit Japan in May. | Paula cancelled her trip to Japan.
Paula plans to visit Japan in May. | Paula plans to visit Korea instead of Japan.
Paula wants to learn the guitar. | Paula no longer wants to learn the guitar.
Quentin's number is 555-0100. | Quentin's new number is 555-0199.
Quentin reports to Sue. | Quentin now reports to Tom.
The wifi network is called Home5G. | The wifi network has been renamed to Attic.
The company headquarters is in Boston. | The company moved its headquarters from Boston to Austin.
The CEO of Initech is Bill. | Initech's CEO is now Dana.
Initech has 200 employees. | Initech now has 250 employees.
"""
KEPT = """
I live in Rome | Bob lives in Oslo
Anna lives in Rome | Anna's sister lives in Oslo
Anna lives in Rome | Anna's sister moved to Oslo
Anna likes tea | Anna likes coffee
Anna likes tea | Anna now likes coffee
Anna has a sister | Anna has a brother
Anna visited Rome | Anna visited Paris
Anna speaks German | Anna speaks French
Anna lives in Rome | Anna will move to Oslo in June
Anna lives in Rome | Anna plans to move to Oslo
Anna lives in Rome | Anna might move to Oslo
Anna lives in Rome | Bob says Anna lives in Oslo
Anna lives in Rome | If Anna moved to Oslo, she would be happy
Anna lives in Rome | Anna works in Oslo
Anna lives in Rome | Anna is in Oslo this week
Anna lives in Rome | Anna was born in Oslo
Anna lives in Rome | Anna lived in Oslo as a child
Anna lives in Rome | Anna lives in Italy
Anna lives in Rome | Anna wants to live in Oslo
Anna works at Google | Anna also works at Meta
Anna works at Google | Anna interviewed at Meta
Anna works at Google | Anna works as a nurse
Anna works at Google | Anna got an offer from Meta
Anna is a teacher | Anna is a mother
Anna is a teacher | Anna is a painter
My phone number is 555 | My work phone number is 777
My email is a@b.c | My work email is d@e.f
My favourite colour is blue | My favourite food is sushi
My favourite colour is blue | Anna's favourite colour is green
The meeting is on Tuesday | The dinner is on Thursday
The meeting is on Tuesday | The meeting is in room 4
The deadline for the report is Friday | The deadline for the slides is Monday
The price of the Pro plan is $10 | The price of the Team plan is $20
Anna drives a Toyota | Anna's husband drives a Volvo
I use VS Code | I use Python
I use VS Code | I switched to Python 3.12
Anna prefers tea | Anna prefers window seats
Anna has two cats | Anna has three brothers
Anna plays tennis | Anna plays chess
Anna lives in Rome and works at Google | Anna moved to Oslo
Anna is married to Bob | Bob is married to Anna
The shop opens at 9 | The shop closes at 6
The store closes at 18:00. | The store closes at 14:00 on Saturdays.
Anna lives in Rome | Does Anna live in Oslo?
Anna lives in Rome | Anna dreamt that she lived in Oslo
My phone number is 555-1234 | My phone is an iPhone
My car is a Volvo | My car is red
My car is a Volvo | My car is broken now
I live in Rome | We moved the meeting to Oslo
I live in Rome | I moved the sofa to the living room
Anna lives in Rome | Anna moved to Google
Anna reads Tolstoy | Anna now reads Chekhov
Anna has a dog | Anna bought a cat
Anna owns a house in Rome | Anna bought a flat in Oslo
Anna lives in Rome | In the novel, Anna lives in Oslo
We use PostgreSQL for billing | We use Redis for caching
We use PostgreSQL for billing | We use MySQL for reporting
Anna likes sushi | Anna does not like raw onions
The API returns JSON | The API returns an error for large files
Anna lives in Rome | Anna used to live in Oslo
Anna drinks coffee | Anna drinks tea
Anna's daughter is called Mia | Anna's son is called Max
The budget for marketing is 10k | The budget for sales is 20k
The price is $10 for students | The price is $20 for teams
Anna switched from tea to coffee | Anna likes tea
Anna likes tea | Anna switched to coffee
Anna moved to the front row | Anna lives in Rome
Anna lives in Rome | Anna is moving to Oslo next month
The user lives in Rome | The user asked whether Oslo is nice
Anna lives in Rome | Anna stayed in Oslo for two weeks
Anna is learning Spanish | Anna is learning Italian now
Kim is the CEO of Acme | Lee is the CEO of Bolt
The CEO of Acme is Kim | The CEO of Bolt is Lee
My son is 5 years old | My daughter is 8 years old
The meeting is on Tuesday | The meeting is at 10
Anna has a meeting on Monday | Anna has a meeting on Tuesday
Anna is interested in art | Anna is now interested in music
Anna has been to Rome | Anna has now been to Paris
Anna subscribes to the Times | Anna now subscribes to the Guardian
Anna listens to jazz | Anna now listens to podcasts
The shop sells bread | The shop now sells cakes
The API supports JSON | The API now supports XML
Anna is friends with Bob | Anna is now friends with Carol
We ship to Germany | We now ship to France
Anna knows Bob | Anna now knows Carol
Anna is good at chess | Anna is now good at tennis
The bakery is open on Mondays | The bakery is now open on Sundays
Anna works on the parser | Anna also works on the lexer
Anna met Bob in Rome | Anna met Carol in Oslo
The company has an office in Rome | The company now has an office in Oslo
Anna finished the report on Monday | Anna finished the slides on Tuesday now
Anna has two cats | Anna has one dog
Anna takes 20 mg of Prozac | Anna takes 500 mg of vitamin C
My sister lives in Rome | My brother moved to Oslo
The user's mother lives in Rome | The user moved to Oslo
The user's wife works at Google | The user joined Meta
Our office is in Rome | I moved to Oslo
The red car is in the garage | The blue car is in the driveway
The meeting with Bob is on Tuesday | The meeting with Carol was moved to Thursday
Anna's flight to Rome leaves at 9:00 | Anna's flight to Oslo leaves at 14:00
Bob's birthday is 3 May | Bob's daughter's birthday is 9 June
The staging database is MySQL | The production database is PostgreSQL
The staging server runs Python 3.11 | The production server was upgraded to Python 3.12
Anna drives a Volvo | Anna rented a Tesla for the weekend
Anna is a nurse | Anna became a mother
Anna is a vegetarian | Anna's favourite food is ramen now
Anna works from home on Fridays | Anna works from the office on Mondays now
Anna likes running | Anna no longer likes swimming
Anna has a Netflix subscription | Anna cancelled her gym membership
Anna plays the piano | Anna stopped playing the violin
Anna speaks German | Anna no longer speaks to Bob
Anna uses Slack | Anna uses Zoom now
Anna uses Slack for work | Anna switched to oat milk
Anna likes coffee | Anna prefers tea over juice
I live in Rome | I used to live in Oslo
I live in Rome | My flight to Oslo was moved to Friday
I live in Rome | I moved the couch to Oslo Street storage
The price of eggs is $4 | The price of milk went up to $3
The Pro plan costs $10 | The Pro plan costs $100 per year
The deadline is Friday | The deadline for the essay was moved to Monday
Anna is dating Tom | Anna is friends with Jerry
Anna left her keys at home | Anna lives in Rome
Anna works at Google | Anna left work early today
Anna works at Google | Anna left Google's cafeteria
Anna works at Google | Anna left a message for Bob
Anna works at Google | Anna had lunch at Meta
Anna reports to Kim | Lee reports to Anna
Anna's phone is a Pixel | Anna lost her phone
Anna is allergic to cats | Anna got a cat
Anna lives in Rome | Anna is in Paris for a conference
Anna lives in Rome | Anna is currently in Oslo
Anna lives in Rome | Anna loves Oslo now
Anna lives in Rome | Anna bought a summer house in Oslo
Anna lives in Rome | Anna's company moved to Oslo
Anna lives in Rome | Anna has never lived in Oslo
Anna lives in Rome | Anna no longer lives in Oslo
Anna lives in Rome | Anna did not move to Oslo
Anna works at Google | Anna doesn't work at Meta
The user prefers concise answers | The user prefers examples in Python
The user prefers dark mode | The user prefers email over phone calls
Remember to water the plants on Monday | Remember to call Bob on Tuesday now
Anna is on the design team | Anna is on the hiring committee
The project uses Django | The project uses PostgreSQL
The project uses Django | The project now uses Redis
The project uses Django | The docs say the project switched to Flask
Bob owns a boat | Bob sold his bike
The test suite takes 10 minutes | The deploy takes 5 minutes now
Anna gets up at 6 | Anna goes to bed at 10 now
Anna has lessons on Tuesday at 5 | Anna has rehearsals on Thursday at 5
Kim lives in Seoul | Kim Smith moved to Busan
Anna studies at Oxford | Anna gave a talk at Cambridge
The API key limit is 5 | The API rate limit is now 100
Jo is 12 years old | Jo's sister turned 14
Anna has a cat named Milo | Anna has a cat named Luna
Anna has a son called Max | Anna has a son called Tim
Bob's friend is Carol | Bob's friend is Dave
Anna eats fish | Anna doesn't eat pork anymore
Anna trains on Mondays at the pool | Anna trains on Thursdays at the track now
My car is in the garage | My car is a Volvo
The key is in the drawer | The letter was moved to the drawer
"""
RESTATED = """
I live in Rome. | I live in Rome
Anna lives in Rome | Anna still lives in Rome.
Anna works for Google | Anna is working at Google
"""


def cases(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("older", "newer"), cases(REPLACED))
def test_a_newer_value_replaces_the_older_one(older: str, newer: str) -> None:
    assert decide(older, newer).outcome == Succession.REPLACES


@pytest.mark.parametrize(("older", "newer"), cases(KEPT))
def test_in_doubt_nothing_is_replaced(older: str, newer: str) -> None:
    assert decide(older, newer).outcome != Succession.REPLACES


@pytest.mark.parametrize(("older", "newer"), cases(RESTATED))
def test_the_same_value_replaces_nothing(older: str, newer: str) -> None:
    assert decide(older, newer).outcome != Succession.REPLACES


def test_one_says_i_and_another_one_says_i() -> None:
    assert decide("I live in Rome.", "I live in Oslo.", is_one_person=False).outcome == Succession.NEITHER
    assert decide("I live in Rome.", "The user lives in Oslo.", is_one_person=True).outcome == Succession.REPLACES
    assert decide("I live in Rome.", "The user lives in Oslo.", is_one_person=False).outcome == Succession.NEITHER


def test_a_date_in_the_sentence_says_since_when() -> None:
    decision = decide("Anna lives in Rome.", "As of 2026-03-01 Anna lives in Oslo.")

    assert decision.starts is not None
    assert decision.starts.isoformat() == "2026-03-01"


@pytest.mark.parametrize("text", ["Anna lives in Rome and " * 600, "a " * 8_000, "from to " * 2_000, "x" * 16_000])
def test_long_texts_are_left_alone(text: str) -> None:
    """Nor do they take long."""
    assert decide(text, "Anna moved to Oslo.").outcome == Succession.NEITHER
    assert decide("Anna lives in Rome.", text).outcome == Succession.NEITHER
