"""Episodes have nothing of an answer that cites what was suppressed or forgotten since."""

from __future__ import annotations

from memory.episodes.retold_summary import NOTHING_QUOTABLE
from tests.cast import RestClient


def test_an_episode_has_nothing_of_an_answer_that_quoted_what_was_suppressed(acme: RestClient) -> None:
    acme.put("settings", {"memory": {"enabled": True}})
    key = acme.remembered("Bruno keeps the spare key of the boat house under the third stone.")
    tide = acme.remembered("The boat house floods at spring tide.")
    for question, memory, answer in (
        ("Where is the spare key of the boat house?", key, "Bruno keeps the spare key under the third stone"),
        ("When does the boat house flood?", tide, "The boat house floods at spring tide"),
    ):
        said = (
            {"role": "user", "content": question},
            {"role": "assistant", "content": f"{answer} [mem:{memory['id']}]."},
        )
        acme.post("conversations/pier/messages", {"messages": list(said)})
    acme.post(f"memories/{key['id']}/suppress")

    made = acme.post("conversations/pier/consolidate", {"retain_last": 0, "max_age_days": 0}).json()

    [episode] = made["episodes"]
    assert episode["turn_count"] == 4
    assert "third stone" not in str(made)
    assert "spring tide" in episode["summary"]


def test_an_episode_of_nothing_but_such_answers_says_so(acme: RestClient) -> None:
    acme.put("settings", {"memory": {"enabled": True}})
    key = acme.remembered("Bruno keeps the spare key of the boat house under the third stone.")
    said = [{"role": "assistant", "content": f"Under the third stone [mem:{key['id']}]."}] * 2
    acme.post("conversations/pier/messages", {"messages": said})
    acme.delete(f"memories/{key['id']}")

    made = acme.post("conversations/pier/consolidate", {"retain_last": 0, "max_age_days": 0}).json()

    assert [each["summary"] for each in made["episodes"]] == [NOTHING_QUOTABLE]
