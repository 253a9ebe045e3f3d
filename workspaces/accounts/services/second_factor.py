"""The second factor of a person: setting it up, checking a code once, recovery codes, and taking it away."""

from __future__ import annotations

import secrets
from uuid import UUID

from django.db import transaction

from core.clock import utc_now
from core.crypto import UnreadableSecretError, decrypt, encrypt
from core.errors import ConflictError, FieldProblem, InvalidError
from workspaces.access.reencryption import Reencryption, renew_token
from workspaces.accounts import totp
from workspaces.accounts.services.account_audit import record_own_change
from workspaces.keys.secrets import secret_hash
from workspaces.models import SecondFactor, User

RECOVERY_CODES = 8


class SecondFactorExistsError(ConflictError):
    """The account has a second factor; it is taken away before another is set up."""

    code = "second_factor_exists"
    title = "This account has a second factor already. Turn it off before you set up another."


def has_second_factor(user: User) -> bool:
    """Return whether signing in takes a code."""
    return SecondFactor.objects.filter(user=user).exists()


def count_recovery_codes(user: User) -> int:
    """Return the number of recovery codes that are left."""
    found = SecondFactor.objects.filter(user=user).values_list("recovery_hashes", flat=True).first()
    return len(found or [])


def set_up_second_factor(*, user: User, secret: str, code: str, address: str = "") -> list[str]:
    """Turn it on once the app shows the right code; return the recovery codes, which exist at this moment alone.

    Raises InvalidError for another code, SecondFactorExistsError.
    """
    step = totp.find_step(secret, code, now=utc_now())
    if step is None:
        raise InvalidError(problems=(_wrong_code(),))
    codes = ["-".join((secrets.token_hex(3), secrets.token_hex(3))) for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        hashes = [_code_hash(user.id, each) for each in codes]
        _, is_new = SecondFactor.objects.get_or_create(
            user=user,
            defaults={
                "secret": encrypt(secret, purpose=_purpose(user.id)),
                "last_step": step,
                "recovery_hashes": hashes,
            },
        )
        if not is_new:
            raise SecondFactorExistsError()
        record_own_change(user=user, fields=["second_factor"], address=address)
    return codes


def use_code(*, user: User, code: str) -> bool:
    """Return whether it is a code of the person's, and use it up: neither a code nor a recovery code works twice.

    True for a person without a second factor.
    """
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update().filter(user=user).first()
        if factor is None:
            return True
        digest = _code_hash(user.id, code.strip().lower())
        if digest in factor.recovery_hashes:
            factor.recovery_hashes.remove(digest)
            factor.save(update_fields=["recovery_hashes"])
            return True
        step = totp.find_step(_read_secret(factor), code, now=utc_now())
        if step is None or step <= factor.last_step:
            return False
        factor.last_step = step
        factor.save(update_fields=["last_step"])
    return True


def remove_second_factor(*, user: User, code: str, address: str = "") -> None:
    """Take it away, for who has a code. Raises InvalidError for another code."""
    with transaction.atomic():
        if not use_code(user=user, code=code):
            raise InvalidError(problems=(_wrong_code(),))
        if forget_second_factor(user=user):
            record_own_change(user=user, fields=["second_factor"], address=address)


def forget_second_factor(*, user: User) -> bool:
    """Take it away without a code, for operators; return whether there was one."""
    return bool(SecondFactor.objects.filter(user=user).delete()[0])


def reencrypt_second_factors(*, is_rehearsal: bool) -> Reencryption:
    """Encrypt the secrets under SECRET_KEY, and return the numbers; a rehearsal changes nothing."""
    done = Reencryption()
    for factor in SecondFactor.objects.order_by("pk").iterator():
        renewed = renew_token(factor.secret, purpose=_purpose(factor.user_id), done=done)
        if renewed and not is_rehearsal:
            SecondFactor.objects.filter(pk=factor.pk, secret=factor.secret).update(secret=renewed)
    return done


def _read_secret(factor: SecondFactor) -> str:
    """Return the secret; a new one, whose codes are unknown to anybody, where SECRET_KEY does not read it any more."""
    try:
        return decrypt(factor.secret, purpose=_purpose(factor.user_id))
    except UnreadableSecretError:
        return totp.new_secret()


def _purpose(user_id: UUID) -> str:
    return f"second factor {user_id}"


def _code_hash(user_id: UUID, code: str) -> str:
    """Return what is stored of a recovery code: 48 random bits, which are guessed at the pace of signing in."""
    return secret_hash(f"{user_id} {code}")


def _wrong_code() -> FieldProblem:
    return FieldProblem("code", "wrong_code", "This is not the code of the app now. Wait for the next one.")
