"""When a clause of a newer text says the same of something else, or that it is over; and when it only seems to."""

from __future__ import annotations

import pytest

from memory.memories.replacement.assertions import is_stated
from memory.memories.replacement.bearings import find_bearings
from memory.memories.replacement.claims import read_claims
from memory.memories.replacement.decision import Succession, decide, decide_by_frames
from memory.memories.replacement.propositions import read_propositions
from memory.memories.replacement.text_features import read_sketch
from memory.memories.replacement.text_pair import read_pair

REPLACED = """
We buy our eggs from Hillside. | We now buy our eggs from Lindner.
The landlord wants 700 euros for the flat. | The landlord says the flat is 750 euros now.
My parents live in Sheffield. | My parents have retired to Cornwall.
I still live with my parents. | I've finally moved out of my parents' house.
Mika's currently living in Tampere. | Mika isn't in Tampere anymore, he's up in Oulu.
I work for Deloitte. | Last Friday was my last day at Deloitte, I'm at KPMG now.
I freelance. | I gave up freelancing and took a permanent job at a bank.
The user works at a law firm called Baxter & Poole. | The user left Baxter & Poole and set up their own practice.
Yusuf is a second-year medical student. | Yusuf has graduated and is a doctor.
I'm working as a cashier. | I don't do the till anymore, I'm a shift supervisor now.
My coach is Andrej. | I've got a new coach, Simone.
You can get me at 07700 900123. | I've got a new number: 07700 900456.
Best way to reach me is WhatsApp. | I deleted WhatsApp, best reach me on Signal.
Send invoices to billing@old.example. | Invoices should now go to accounts@new.example.
My Instagram is @sunny.side. | I changed my Instagram to @shady.side.
The emergency contact for Leo is his mother. | Leo's emergency contact is now his father.
Amir answers on Telegram. | Amir quit Telegram and answers on Threema.
Klaus is in Slack channel #ops. | Klaus has left #ops, find him in #platform.
I hate olives. | I've come round to olives, I eat them all the time now.
I like my steak rare. | I like my steak well done nowadays.
My favourite subject is maths. | Maths used to be my favourite subject, now it's art.
I fast on Mondays. | I quit fasting.
I eat eggs. | I'm allergic to eggs now, so no more eggs.
I'm seeing a guy called Marco. | Marco and I are over.
Rob and Sue are married. | Rob and Sue are getting divorced, they've separated.
I'm dating someone from work. | I ended things with the person from work.
Jamal's wife is Aisha. | Jamal is a widower; Aisha died last year.
Kira is going out with Ben. | Ben dumped Kira.
Lea and Tim are a couple. | Lea and Tim went their separate ways.
My brother is engaged to Fatima. | My brother's engagement to Fatima is off.
I live apart from my wife. | My wife and I reconciled and live together again.
I edit photos with Lightroom. | I cancelled Lightroom and use Darktable.
CI runs on Travis. | CI has been on GitLab for a week now.
The user's editor is Sublime Text. | The user has made Zed the default editor.
My rent is 850 a month. | They put my rent up to 910.
A haircut at Mario's is 25 euros. | Mario's charges 30 euros for a haircut now.
The car is listed at 9,500. | They dropped the price of the car to 8,900.
My hourly rate is 60. | I've raised my hourly rate to 75.
Netflix is 12.99 for us. | Netflix now takes 15.99.
The fine for late returns is 50 cents. | They doubled the fine for late returns to a euro.
The wedding is in June. | We had to push the wedding to September.
School starts at 8. | School starts at 8:30 from this term.
The pharmacy closes at 6. | The pharmacy's open until 8 now.
Yoga is on Tuesdays. | They switched yoga to Wednesdays.
Band practice is in Tom's garage. | Band practice is at the community centre now.
The car is parked on level 2. | I moved the car up to level 4.
The meeting's in the blue room. | We swapped to the green room for the meeting.
The Christmas decorations are in the attic. | The Christmas decorations are in the basement now.
The config lives in settings.ini. | The config was moved to pyproject.toml.
The summit is in Oslo. | The summit has been moved from Oslo to Bergen.
The medicine is in the bathroom cabinet. | The medicine's on the top kitchen shelf now.
Greta swims twice a week. | Greta swims four times a week now.
I meditate for ten minutes a day. | I'm up to thirty minutes of meditation a day.
Jan plays video games all night. | Jan quit gaming.
My cat is called Minka. | Minka died in March.
My daughter is in second grade. | My daughter is in third grade now.
I take 50 mg of sertraline. | My doctor upped my sertraline to 100 mg.
Our daughter lives in halls. | Our daughter moved out of halls into a house with friends.
Our intern is Ben. | Ben's internship ended; our intern now is Chika.
Vera is the voice of the podcast. | Nina has taken over as the voice of the podcast from Vera.
Reach me at extension 12. | My extension is 45 now.
My website is alba.example. | My site has moved to alba-studio.example.
I can't stand techno. | I've really come to enjoy techno.
Liz is with Marcus. | Liz dumped Marcus.
My headphones are Sony. | My Sony headphones died, I've got Bose now.
I draw in Procreate. | I draw in Clip Studio now.
We keep the docs in Google Docs. | The docs have been migrated to Notion.
I navigate with a Garmin. | I navigate with my phone now.
My train pass is 89 a month. | My train pass went from 89 to 97 a month.
The house is on the market for 420k. | They cut the price of the house to 399k.
The hearing is on 4 June. | The hearing has been adjourned to 2 July.
I work Monday to Thursday. | I work Tuesday to Friday now.
My holiday starts on the 10th. | My holiday starts on the 17th now, I had to swap.
The ferry goes at 9:15. | The ferry goes at 9:45 since the timetable changed.
The lease runs out in May. | The lease was renewed until May 2028.
The first-aid kit is under the sink. | The first-aid kit is in the car now.
The dataset is on the shared drive. | We put the dataset into the S3 bucket.
The app is free. | The app costs 3 euros now.
We live next to the school. | We've moved to the other side of town.
My flatmate waits tables at Nando's. | My flatmate quit Nando's.
Lin is our CFO. | Lin has stepped down as CFO.
My e-mail address is hans@firm-a.example. | I've left the firm, my new e-mail is hans@home.example.
I love this band called Slowdive. | I'm so over Slowdive.
My comfort food is mac and cheese. | My comfort food has changed to ramen.
Rowan and Blake are dating. | Rowan and Blake got engaged at Christmas.
The subscription's 8 a month. | They hiked the subscription to 11 a month.
Our gate is B22. | The gate changed to C9.
The toolbox is in the trunk. | I put the toolbox back in the workshop.
I write a diary. | I haven't written in my diary since March.
We shop at Aldi. | We shop at the market now.
"""
KEPT = """
We enjoy the lake. | We hate the lake cafe now.
The shop is open on Mondays. | The shop is closed on Sundays now.
The library is closed on Tuesday. | The library is open on Friday again.
We buy our eggs from Hillside. | We now buy our honey from Lindner.
Nora's bike is called Blitz. | Nora's new boat is called Wanda.
Parcels to Poland take four days. | Parcels from Spain take seven days now.
The sauna is open on Mondays. | A guest thought the sauna was closed on Mondays.
The filter lasts six months. | According to a blog, filters last three months now.
Igor is divorced. | Igor was married for three years.
The bridge is open. | The bridge was closed for several hours last Friday.
My uncle keeps bees in Wales. | My uncle keeps goats in Devon now.
We've been to Japan. | We've just come back from Peru.
I'm learning Korean. | I signed up for a Spanish class as well.
Jo has a brother in Canada. | Jo has a sister in Spain.
The shop sells bread. | The shop sells cakes now.
I read the Guardian. | I subscribed to the Economist.
Kai has a daughter. | Kai's son was born on Tuesday.
I've got a meeting on Monday. | I've got a meeting on Thursday as well.
I watch Dark. | I'm watching Severance now.
My favourite colour is teal. | My favourite pizza is margherita.
I work out on Mondays. | I work out on Thursdays.
Lia drinks tea. | Lia drinks coffee at work.
We have an office in Berlin. | We opened an office in Madrid.
I cook Thai food. | I cooked Mexican last night.
He collects stamps. | He collects coins.
Dan's dentist is on Hill Road. | Dan's optician has moved to Mill Road.
Lena is married to Max. | Lena's friend Pia got divorced.
The front door code is 1234. | The back door code was changed to 9876.
The intern starts on Monday. | The new designer starts on Wednesday.
My mother lives in Trieste. | My mother-in-law moved to Venice.
My English exam is on Friday. | My maths exam has been moved to Monday.
Ticket 311 is open. | Ticket 312 has been closed.
My office is on the third floor. | The HR office moved to the first floor.
The user's wife works at a bank. | The user's wife's sister quit the bank.
I use Windows. | Maybe I should switch to Linux.
We're with Vodafone. | We might change to O2 when the contract ends.
The meeting is on Tuesday. | Can we move the meeting to Wednesday?
We use MySQL. | We're evaluating Postgres.
I drive a petrol car. | My next car will be electric.
The release is on 1 May. | The release could slip to 15 May.
The office is in Bonn. | The company plans to relocate to Cologne.
I have long hair. | I'm tempted to cut my hair short.
My flight is at 9. | I tried to change my flight to 11, no luck.
The limit is 50 MB. | Somebody requested a limit of 100 MB.
Ben is in Dubai. | Ben is supposed to move back to London soon.
I work as a chef. | I've moved to a bigger kitchen at home.
Leo's favourite food is lasagne. | Leo's favourite drink is now ginger beer.
The meeting is at 10. | The meeting is in room 5 now.
I play the violin. | I sold my old violin bow.
Mia is married to Jo. | Mia changed her phone number.
My phone is a Pixel 6. | My phone plan is now 20 a month.
We use React. | We replaced our linter with Biome.
Eva is a dentist. | Eva moved her practice to Bern.
Omar studies in Delft. | Omar switched his phone to dark mode.
The report is due on Friday. | The report was shortened to ten pages.
Ida has two kids. | Ida has three cats now.
Our CEO is Mr. Fox. | Mr. Fox sold his yacht.
The server has 16 GB of RAM. | The server's hostname was changed to apollo.
I drink my coffee black. | I broke my coffee mug and got a new one.
I weigh 70 kilos. | I can lift 80 kilos now.
I sleep eight hours. | I got a new mattress.
Pat works at IBM. | Rumour has it Pat left IBM.
The price is 10 euros. | Someone on the forum claims the price is 12 euros now.
Eli is single. | People say Eli got married.
We use Kafka. | The consultant said we should have used Pulsar.
My name is Katharina. | In the play I'm called Juliet.
The shop opens at 9. | A reviewer wrote that the shop opens at 10.
I use Vim. | My friend keeps telling me that I should switch to Emacs.
I work at Nestlé. | I turned down the job at Unilever.
The meeting is on Monday. | The meeting was not moved to Tuesday.
My rent is 600. | My rent wasn't raised this year.
I'm vegan. | I'm not going back to eating meat.
I play golf. | I've never stopped playing golf.
Ana is our treasurer. | Ana hasn't stepped down as treasurer.
The deadline is June 1. | They refused to extend the deadline to June 15.
I drive a Mazda. | I didn't buy the Honda in the end.
I work for Fiat. | Before that I worked for Lancia.
My phone is a Nokia. | I had a Motorola back in school.
I'm a teacher. | I was a lifeguard when I was young.
I play the cello. | As a kid I played the recorder.
We use Rust. | We wrote the prototype in Python.
My salary is 4,000. | Two years ago my salary was 3,500.
Ed's house is white. | Ed's house was blue when he bought it.
I'm a Mac user. | I grew up with Windows.
I work at SAP. | I'm at SAP in Walldorf.
My dog is called Bello. | Bello is a labrador.
I'm a nurse. | I'm a nurse on the children's ward.
The meeting is at 3 pm. | The meeting's at 15:00.
Our budget is 5k. | Our budget is 5,000 euros.
I study in Lund. | I'm at Lund University.
I love dogs. | I've always been a dog person.
I take my coffee with milk. | I have a milky coffee every morning.
I live in Nice. | I'm in Lyon this week for work.
The office closes at 6. | The office closed early today.
I work in the Munich office. | I'm covering for a colleague in Vienna until Friday.
My phone is an iPhone. | I'm using an old Nokia while my phone is being repaired.
Ada leads the team. | Ben is standing in for Ada while she's on holiday.
I sleep in the bedroom. | I slept on the sofa last night.
I drive a Kia. | I've got a rental Opel for the weekend.
My mum lives alone. | My mum is staying with us over Christmas.
I play in goal. | I played in defence last match since Tim was ill.
I drink coffee in the morning. | In the evening I have herbal tea.
A ticket is 12 euros. | A ticket for students is 8 euros.
Shipping costs 5 euros. | Shipping abroad costs 15 euros.
We use Slack internally. | We use email with customers.
My work email is a@w.example. | My private email is a@p.example.
Our staging database is MySQL. | Our production database is Postgres.
I pay 30 a month for mobile. | I pay 40 a month for internet.
I live in Graz during the week. | On weekends I'm at my parents' in Linz.
The first draft is due on 1 June. | The final version is due on 1 July.
We drive a camper van. | We replaced the battery of the camper van.
Nils is on the board of the club. | Nils left the board meeting early.
I read a lot. | I finished a book on whales.
I'm in book club. | I returned a book to the library.
I use Notion. | I deleted a page in Notion.
Kate runs a café. | Kate's café hired a new barista.
My job is in Basel. | I quit my dance class in Basel.
I bank with HSBC. | HSBC closed a branch near me.
Our product is called FlowKit. | FlowKit is written as one word.
My boss is called Jörn. | Jörn is pronounced like yearn.
My favourite band is Muse. | Muse released a new album.
The fare is 3 euros. | I lost 3 euros on the bus.
The cake is chocolate. | I'd bake a lemon cake for Sunday.
I prefer tea over coffee. | I bought coffee for the office.
We're two developers. | We're two designers.
The tests pass on Linux. | The tests fail on Windows now.
My dog is a poodle. | My dog is at the vet now.
I'm a baker. | I'm tired now.
Tom is a nurse. | Tom is a father now.
The shop is in Elm Street. | The shop is closed now.
The meeting is in room 3. | The meeting is over now.
Dad drives a Ford. | Dad drives my sister to school now.
I play in a band. | I play more guitar now.
The car is red. | The car is clean now.
My room is upstairs. | My room is tidy now.
The server runs Linux. | The server runs faster now.
I have a bike. | I have a helmet now.
Mia lives with Ben. | Mia lives a healthier life now.
I'm learning Thai. | I'm learning faster now.
The concert is on Friday. | The concert is sold out now.
My flight is at 8. | My flight is boarding now.
I use Notion. | I cancelled my dentist appointment.
We live in Oslo. | We sold our boat in Oslo.
I have a cat. | I gave the cat a bath.
My car is a Skoda. | I sold the bike rack.
I'm married. | My sister got divorced.
The router is in the hall. | The router was reset.
Our landlord is Mr. Ek. | Mr. Ek replaced the boiler.
I study in Lund. | I missed the bus to Lund.
My sister is at university. | My sister dropped her phone.
I smoke. | I gave my lighter away.
My gym is FitX. | FitX replaced the treadmills.
I'm vegetarian. | I threw out the old vegetables.
I work nights. | I worked from a café today.
I have a meeting with Bo at 3. | The meeting with Lea was moved to 4.
I'm allergic to bees. | I'm not allergic to wasps.
I don't like opera. | I don't like ballet either.
Vera sings. | Vera also dances now.
I live in a flat. | I clean my flat on Fridays now.
We sell bikes. | We sold three bikes today.
I have two jobs. | I have two interviews.
"""
# Of one speaker, about two things.
BY_CHANCE = """
Shop 1 keeps oven 7 at 151 degrees. | Shop 7 keeps oven 49 at 157 degrees.
I eat meat now and then. | I haven't turned vegan, I've merely cut out bacon.
Ludo has a fever. | Ludo's fever went down a bit overnight, but it isn't gone.
Ola is in charge of ward 3. | In her student days Ola changed from midwifery to general nursing.
We pay 700 a month in rent. | Our rent comes to 8,400 a year.
I'm on the train. | I've moved up to first violin.
I keep recipes in a notebook. | I'm in the garden now.
I live in Rome. | After the breach I went over to Bitwarden.
I'm in book club. | I'm on a cheaper phone plan now, $25.
I work for Aldi. | We've moved off Heroku to Fly.io.
I take the bus. | I have a helmet now.
I'm with Kai. | I took a job with Lumen.
I'm allergic to shellfish. | I've been made captain of the hockey team.
I work for my uncle. | I'm down to one cup of coffee a day.
I eat meat. | We've stopped eating out.
I've climbed Mont Blanc. | I lost interest in climbing.
My phone is with O2. | I've just quit Telia.
My car is a Volvo. | I take the tram to work now.
My dog is called Bello. | Left the flatshare, got a studio in Gorgie instead.
I play in goal. | I've moved to a bigger kitchen at home.
I live close to the harbour in Gdańsk. | I moved out of the student residence yesterday.
"""


def cases(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines() if line]


@pytest.mark.parametrize(("older", "newer"), cases(REPLACED))
def test_a_clause_closes_what_it_says_otherwise(older: str, newer: str) -> None:
    assert decide(older, newer).outcome == Succession.REPLACES


@pytest.mark.parametrize(("older", "newer"), cases(KEPT) + cases(BY_CHANCE))
def test_a_clause_about_something_else_closes_nothing(older: str, newer: str) -> None:
    assert decide(older, newer).outcome != Succession.REPLACES


@pytest.mark.parametrize(
    ("text", "subject", "verb", "heads"),
    [
        ("My brother packed up and moved out to Denver.", ("brother",), "move", ("denver",)),
        ("The price of the basic plan is 12 euros.", ("basic", "plan", "price"), "be", ("euro",)),
        ("Lena chews gum all day.", ("lena",), "chew", ("gum",)),
        ("My phone plan is new.", ("phone", "plan"), "be", ()),
        ("Since March the release manager is Kenji.", ("releas", "manag"), "be", ("kenji",)),
        ("Dr. Lund has retired.", ("dr", "lund"), "retir", ()),
        ("Emergency line: 112-555.", ("emergenc", "line"), "be", ("112-555",)),
        ("Gave up the room near the brewery.", (), "give", ("room", "breweri")),
        ("The sofa has been moved to the hall.", ("sofa",), "move", ("hall",)),
    ],
)
def test_the_last_clause_is_taken_apart(text: str, subject: tuple[str, ...], verb: str, heads: tuple[str, ...]) -> None:
    clause = read_propositions(text)[-1]

    assert (clause.subject.words, clause.verb) == (subject, verb)
    assert tuple(phrase.head for phrase in clause.phrases if phrase.words) == heads


def test_a_pronoun_stands_for_the_subject_before_it() -> None:
    clauses = read_propositions("Mika isn't in Tampere anymore, he's up in Oulu.")

    assert [clause.subject.words for clause in clauses] == [("mika",), ("mika",)]
    assert [clause.is_over for clause in clauses] == [True, False]


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        ("I take notes in Evernote.", "I deleted Evernote.", "reversed"),
        ("I run every morning.", "I don't run any more.", "reversed"),
        ("Kofi works at a call centre.", "Kofi works for an insurance company these days.", "exchanged"),
        ("My rent is 850.", "They put my rent up to 910.", "value"),
        ("The support line is 0800 111.", "There is a new support line.", "renewed"),
        ("The shop runs on Magento.", "The shop was migrated to Shopify.", "moved"),
        ("My terminal is iTerm.", "I use Ghostty as my terminal now.", "renamed"),
        ("Ken maintains the parser.", "Lily took over the parser.", "handed on"),
        ("Pedro is the head of sales.", "Ingrid is the head of sales now.", "succeeded"),
        ("The concert is on Saturday.", "The concert has been cancelled.", "reversed"),
        ("I avoid gluten.", "I eat gluten again.", "reversed"),
        ("Kira is going out with Ben.", "Ben dumped Kira.", "partner"),
        ("I hate olives.", "I love olives now.", "taste"),
        ("The pool is closed.", "The pool has reopened.", "opposed"),
        ("Tariq stays with his aunt in Leeds.", "Tariq has a flat in Manchester now.", "domain"),
        ("I work for Ford.", "I got laid off.", "employment"),
        ("We use Asana for planning.", "Planning has moved from Asana to Trello.", "reversed"),
    ],
)
def test_each_reason_is_found(older: str, newer: str, reason: str) -> None:
    pair = read_pair(read_sketch(older), read_sketch(newer))

    assert reason in find_bearings(pair, is_one_person=True)


@pytest.mark.parametrize(
    "newer",
    [
        "I might move to Milan.",
        "I'm moving to Milan next year.",
        "My aunt thinks that I moved to Milan.",
        "I wish I had moved to Milan.",
        "If I moved to Milan, I would miss Rome.",
        "I also moved some boxes to Milan.",
        '"I moved to Milan", he said.',
    ],
)
def test_what_is_not_stated_closes_nothing(newer: str) -> None:
    pair = read_pair(read_sketch("I live in Rome."), read_sketch(newer))

    assert not is_stated(pair, is_one_person=True)
    assert decide("I live in Rome.", newer).outcome != Succession.REPLACES


def test_a_text_of_two_statements_is_not_over_with_one_of_them() -> None:
    older = "I rent a studio and my sister works in Lyon."

    assert decide(older, "My sister left Lyon.").outcome != Succession.REPLACES


def test_clauses_of_two_speakers_are_not_compared() -> None:
    pair = "I take notes in Evernote.", "I moved all my notes to Bear."

    assert decide(*pair).outcome == Succession.REPLACES
    assert decide(*pair, is_one_person=False).outcome != Succession.REPLACES


@pytest.mark.parametrize(("older", "newer"), cases(REPLACED)[:5])
def test_clauses_close_no_statement(older: str, newer: str) -> None:
    assert decide_by_frames(read_claims(older), read_claims(newer)).outcome != Succession.REPLACES
