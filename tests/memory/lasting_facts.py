"""Sixty plain sentences in which people tell an assistant something lasting: what kind, what leads in, who asks how.

Five people say one sentence of each of twelve kinds. The questions ask for them in other words
than they were said, of which one is the same: by their meaning alone the embedder in the package finds too little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LastingFact:
    """What somebody says of themselves, what may stand before it, and a question whose answer has these words."""

    kind: str
    lead: str
    said: str
    question: str
    answer: Sequence[str]

    def message(self, *, has_lead: bool) -> str:
        """Return the message, with or without what leads into it."""
        if not has_lead:
            return self.said
        is_whole = self.lead.endswith(("? ", "! ")) or self.said.startswith(("I ", "I'"))
        return self.lead + (self.said if is_whole else self.said[:1].lower() + self.said[1:])


def _fact(kind: str, lead: str, said: str, question: str, *answer: str) -> LastingFact:
    return LastingFact(kind, lead, said, question, answer)


PEOPLE: dict[str, list[LastingFact]] = {
    "Ruth": [
        _fact("health", "Quick thing: ", "I'm allergic to latex, gloves give me a rash.",
              "What am I allergic to?", "latex"),
        _fact("relation", "By the way, ", "My brother Anselm is a pilot.",
              "What does my brother do for a living?", "pilot"),
        _fact("home", "Also, ", "I live in Ghent, two streets from the cathedral.",
              "In which city do I live?", "Ghent"),
        _fact("employer", "For context: ", "I work for a bakery called Kornhaus.",
              "Who do I work for?", "Kornhaus"),
        _fact("money", "Oh, and before I forget: ", "The rent is 940 a month.",
              "How much is my rent?", "940"),
        _fact("date", "One more thing, ", "My driving test is on Friday 11 December at 8:15.",
              "When is the driving exam for my licence?", "11 December"),
        _fact("instruction", "And ", "Always give distances in kilometres.",
              "Which unit do I want for distances?", "kilometres"),
        _fact("habit", "Oh and ", "I've stopped eating meat, mostly for the climate.",
              "Do I still eat meat?", "stopped", "meat"),
        _fact("change", "Small update: ", "I switched from the bus to a cargo bike in October.",
              "Do I take the bus to work these days?", "bike"),
        _fact("postponed", "Just so you know, ", "The choir concert got postponed to 9 January.",
              "On which day do we sing at the concert?", "9 January"),
        _fact("taste", "Honestly, ", "I can't stand coriander.",
              "How do I feel about coriander in a recipe?", "coriander"),
        _fact("possession", "Fun fact: ", "I've got a tortoise called Humbert.",
              "What is the name of my tortoise?", "Humbert"),
    ],
    "Jonas": [
        _fact("health", "Important for later: ", "I have type 1 diabetes, so I count carbs.",
              "Do I have diabetes or another condition?", "diabetes"),
        _fact("relation", "Since you asked, ", "My wife is called Ottilie and she teaches physics.",
              "What is my wife's name?", "Ottilie"),
        _fact("home", "I should mention, ", "We live on the third floor of an old mill in Bergen.",
              "On which floor do we live?", "mill"),
        _fact("employer", "Well, ", "I'm an electrician at Nordlys.",
              "Am I an electrician or a plumber?", "electrician"),
        _fact("money", "FYI, ", "My budget for the kitchen is 6,500 euros.",
              "How much may the kitchen cost?", "6,500"),
        _fact("date", "Heads up: ", "I'm flying to Madeira on 3 May.",
              "When do I fly to Madeira?", "3 May"),
        _fact("instruction", "Oh, one thing: ", "Never suggest restaurants with loud music.",
              "Which restaurants should not be suggested to me?", "loud music"),
        _fact("habit", "Not sure I told you, but ", "I started learning Portuguese in January.",
              "Since when have I been learning Portuguese?", "Portuguese"),
        _fact("change", "Big news: ", "I'm no longer with Nordbank, my account is at Solvik now.",
              "Where is my bank account now?", "Solvik"),
        _fact("postponed", "So, ", "The inspection of the roof has been moved to Monday 4 May.",
              "When is somebody coming for the inspection of the house?", "4 May"),
        _fact("taste", "While I think of it, ", "My favourite cake is carrot cake with walnuts.",
              "Which cake should be baked for my birthday?", "carrot cake"),
        _fact("possession", "PS: ", "I drive a green Saab from 1996.",
              "What car do I drive?", "Saab"),
    ],
    "Amira": [
        _fact("health", "Something important: ", "I can't take ibuprofen because of my kidneys.",
              "May I take ibuprofen as a painkiller?", "ibuprofen"),
        _fact("relation", "On another note, ", "My daughter Leila turns six in August.",
              "How old will my daughter be this summer?", "Leila", "six"),
        _fact("home", "Anyway, ", "My flat is in Rotterdam, right by the Maas.",
              "Where is my flat?", "Rotterdam"),
        _fact("employer", "To answer your question: ", "I run the archive at the city museum.",
              "Which archive do I run?", "museum"),
        _fact("money", "Oh right, ", "I earn 3,100 a month after tax.",
              "How much do I earn?", "3,100"),
        _fact("date", "Also ", "I have my eye exam on 17 June at ten.",
              "When are my eyes examined, on which day is the exam?", "17 June"),
        _fact("instruction", "Quick request: ", "Please keep your answers short from now on.",
              "Should answers to me be long or short?", "short"),
        _fact("habit", "In case it helps, ", "I gave up smoking two years ago.",
              "Do I still smoke?", "gave up smoking"),
        _fact("change", "By the way: ", "We changed schools, Leila goes to the Regenboog now.",
              "Which school does my girl attend?", "Regenboog"),
        _fact("postponed", "Sadly, ", "The wedding of my cousin is off until October.",
              "When is my cousin's big day, the wedding?", "October"),
        _fact("taste", "Come to think of it, ", "I take my coffee black, without sugar.",
              "How do I like my coffee?", "black"),
        _fact("possession", "A little detail: ", "My bike is a yellow Gazelle with a child seat.",
              "What does my bike look like?", "yellow"),
    ],
    "Pavel": [
        _fact("health", "Before I forget, ", "I wear a hearing aid in my left ear.",
              "Do I have a hearing aid?", "hearing aid"),
        _fact("relation", "For the record, ", "My ex-wife's name is Dagmar.",
              "What is the name of my ex-wife?", "Dagmar"),
        _fact("home", "Oh, ", "I've got a cabin near Lipno where I spend the summers.",
              "Where do I spend my summers?", "Lipno"),
        _fact("employer", "As I said, ", "I teach chemistry at a school in Pilsen.",
              "Which subject do I teach at school?", "chemistry"),
        _fact("money", "Quick note: ", "I'm paying 85 a month for the gym.",
              "What does the gym cost me?", "85"),
        _fact("date", "And ", "My sister's birthday is on 2 September.",
              "Which day is my sister's birthday?", "2 September"),
        _fact("instruction", "You know what, ", "From now on, write to me in Czech.",
              "Do I want to be written to in Czech?", "Czech"),
        _fact("habit", "Funny story, ", "I don't drink alcohol any more, since my operation.",
              "Do I drink alcohol, for example wine?", "alcohol"),
        _fact("change", "Oh and important: ", "My new phone number ends in 4471.",
              "What are the last digits of my phone number?", "4471"),
        _fact("postponed", "Just a heads-up, ", "The meeting with the landlord is now on Thursday 16 April.",
              "When do I meet the landlord?", "16 April"),
        _fact("taste", "I mean, ", "I prefer trains to planes.",
              "Do I like planes or other ways to travel?", "trains"),
        _fact("possession", "Oh yes, ", "We have two cats, Bublina and Fazole.",
              "What are our cats called?", "Bublina"),
    ],
    "Grace": [
        _fact("health", "One thing you should know: ", "I'm pregnant, the baby is due in November.",
              "Am I pregnant, and since when?", "pregnant"),
        _fact("relation", "Did I tell you? ", "My boss is called Thandi.",
              "What is the name of my boss?", "Thandi"),
        _fact("home", "So anyway, ", "We've bought a house in Swansea with a garden.",
              "In which town is the house that we bought?", "Swansea"),
        _fact("employer", "Actually, ", "I'm with the coastguard, on the night desk.",
              "Am I with the coastguard or the navy?", "coastguard"),
        _fact("money", "Thanks! Oh and ", "The mortgage is 1,150 a month.",
              "How much is our mortgage?", "1,150"),
        _fact("date", "Oh, also: ", "The midwife is coming on Tuesday 19 May at half past nine.",
              "When does the midwife visit us?", "19 May"),
        _fact("instruction", "And please, ", "Don't use emojis when you write to me.",
              "May there be emojis in messages to me?", "emojis"),
        _fact("habit", "Last thing, ", "I've taken up swimming, every Wednesday before work.",
              "How often do I go swimming?", "swimming"),
        _fact("change", "Another thing: ", "My surname is Okoye now, not Bell.",
              "What is my surname, Bell?", "Okoye"),
        _fact("postponed", "Update: ", "My leave starts two weeks later than planned, on 5 October.",
              "When does my leave begin?", "5 October"),
        _fact("taste", "To be honest, ", "I only drink decaf.",
              "Is normal coffee fine for me, or only decaf?", "decaf"),
        _fact("possession", "Not that it matters, but ", "My old violin is from Markneukirchen.",
              "Where was my violin made?", "violin"),
    ],
}  # fmt: skip

# What else is said that day, so that not everything has room.
CHATTER = [
    ("I watched a long film last night and fell asleep after an hour.", "That happens to the best of us. Was it good?"),
    ("It has been raining since Tuesday and the laundry won't dry.", "A fan in front of the rack can help a little."),
    ("We had lasagne with my neighbour Fintan yesterday, it was far too much.", "Leftovers for today, then!"),
    ("The train was forty minutes late again this morning.", "That is annoying. Did you at least find a seat?"),
    ("I tidied the cellar on Sunday and found my old roller skates.", "What a find. Do they still fit?"),
    ("My colleague brought in three boxes of plums from her garden.", "Plum jam keeps well, if you feel like cooking."),
    ("How do I get candle wax out of a tablecloth?", "Let it harden, scrape it off, then iron through kitchen paper."),
    ("Some parcel for upstairs has been standing in our hall for days.", "Perhaps a note on their door would do it."),
]
REPLIES = [
    "Got it, thanks for telling me.",
    "Noted!",
    "Understood. Anything else?",
    "Good to know, I will keep it in mind.",
]
