"""Every REST door works for its own with no more than the serving role may: its rows are committed for it to see."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.cast import Cast
from tests.furnished import furnish
from tests.rules.doors import OUTWARD, ids_of, rest_doors, with_operator
from tests.serving import as_serving_role

DOORS = rest_doors()


@pytest.mark.django_db(transaction=True)
def test_every_door_opens_for_its_own_with_no_more_than_the_serving_role_may(cast: Cast) -> None:
    furnish(cast.acme)
    mine = {**ids_of(cast.acme), "user_id": cast.bob.id}
    visitor = with_operator(cast.acme.secret)
    with as_serving_role():
        for door in [door for door in DOORS if door.name not in OUTWARD]:
            with transaction.atomic():
                answer = visitor.asks(door, mine, door.body(mine))
                # 409: the door opened, and found the object in use.
                assert answer.status_code in {200, 201, 202, 204, 409}, (str(door), answer.content)
                transaction.set_rollback(True)
