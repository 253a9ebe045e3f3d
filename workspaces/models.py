"""Workspaces, the people and keys that may enter them, and the append-only record of what was done."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models

from core.clock import utc_now
from core.ids import new_id
from workspaces.access.spaces import MAX_NAME_CHARACTERS, Binding, SpaceName, parse_entered_space
from workspaces.access.tenancy import TenantManager, TenantModel
from workspaces.accounts.models import ExternalIdentity as ExternalIdentity  # noqa: PLC0414
from workspaces.accounts.models import SecondFactor as SecondFactor  # noqa: PLC0414
from workspaces.accounts.operators.models import OperatorEvent as OperatorEvent  # noqa: PLC0414
from workspaces.accounts.operators.models import OperatorKey as OperatorKey  # noqa: PLC0414
from workspaces.accounts.operators.models import WorkspaceFounding as WorkspaceFounding  # noqa: PLC0414


class UserManager(BaseUserManager["User"]):
    """Creates people; the address they sign in with is stored in lower case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person who signs in with an address and a password. Staff may audit in `/admin/`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    # False of an account that a link made: what is sent to its address is not taken for its person's.
    is_email_confirmed = models.BooleanField(default=True, db_default=True)
    created_at = models.DateTimeField(default=utc_now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        db_table = "users"

    def __str__(self) -> str:
        # No longer than the columns that tell who did something.
        return (self.name or self.email)[:200]

    def get_short_name(self) -> str:
        return self.name or self.email

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Normalise the address of an account; every form of Django that creates or changes one calls this."""
        return super().normalize_username(username).strip().lower()


class WorkspaceQuerySet(models.QuerySet["Workspace"]):
    def live(self) -> WorkspaceQuerySet:
        return self.filter(is_deleted=False)


class Workspace(models.Model):
    """The unit of memory. Its own id is its workspace column."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=80, unique=True)
    config = models.JSONField(default=dict, blank=True)
    is_deleted = models.BooleanField(default=False)
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=utc_now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    objects = WorkspaceQuerySet.as_manager()

    class Meta:
        db_table = "workspaces"

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a person is in a workspace; `workspaces.access.callers` says what each may do."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    VIEWER = "viewer"


class Membership(TenantModel):
    """A person's place in a workspace."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.MEMBER)
    created_at = models.DateTimeField(default=utc_now, editable=False)

    class Meta:
        db_table = "memberships"
        constraints = [models.UniqueConstraint(fields=["workspace", "user"], name="one_membership_per_person")]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class SpaceGrant(TenantModel):
    """A custom space that a member may open, next to what is shared and their own."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    space = models.CharField(max_length=MAX_NAME_CHARACTERS)
    created_at = models.DateTimeField(default=utc_now, editable=False)

    class Meta:
        db_table = "space_grants"
        constraints = [models.UniqueConstraint(fields=["workspace", "user", "space"], name="one_grant_per_space")]

    def __str__(self) -> str:
        return f"{self.space} for {self.user}"


class Invitation(TenantModel):
    """An offer of a role in a workspace, addressed to an e-mail. It becomes a membership when the person accepts: the
    one who signs in with that address, or until `expires_at` who comes with its link, of which only a hash is kept."""

    email = models.EmailField()
    role = models.CharField(max_length=10, choices=Role.choices)
    invited_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    token_hash = models.CharField(max_length=64, blank=True, default="", db_default="")
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=utc_now, editable=False)

    class Meta:
        db_table = "invitations"
        constraints = [models.UniqueConstraint(fields=["workspace", "email"], name="one_invitation_per_address")]
        indexes = [
            models.Index(fields=["email"], name="invitations_by_email"),
            models.Index(fields=["token_hash"], name="invitations_by_token"),
        ]

    def __str__(self) -> str:
        return f"{self.email} ({self.role})"


class ApiKey(TenantModel):
    """An agent's way in. Only a SHA-256 of the secret is kept; the secret is shown once.

    A key made by a person (`created_by`) has at most the rights that this person has now; one without, its scopes.
    With `spaces` it is bound to them; with `is_stamped` each call says for which user it is
    (`keys/on_behalf_stamps.py`); with `is_of_sub_agent` it is given no memory of users. `tools` are the sets of MCP
    tools that are listed for it where the address names none; of none, the core.
    """

    name = models.CharField(max_length=120)
    hint = models.CharField(max_length=24)
    secret_hash = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10))
    spaces = ArrayField(models.CharField(max_length=MAX_NAME_CHARACTERS), blank=True, default=list, db_default=[])
    is_stamped = models.BooleanField(default=False, db_default=False)
    is_of_sub_agent = models.BooleanField(default=False, db_default=False)
    tools = ArrayField(models.CharField(max_length=10), blank=True, default=list, db_default=[])
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=utc_now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    first_used_at = models.DateTimeField(null=True, blank=True)
    first_used_from = models.CharField(max_length=64, blank=True, default="", db_default="")
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[TenantManager[ApiKey]] = TenantManager()

    class Meta:
        db_table = "api_keys"
        verbose_name = "API key"
        indexes = [models.Index(fields=["workspace", "-created_at"], name="api_keys_by_workspace")]

    def __str__(self) -> str:
        return self.name

    @property
    def binding(self) -> Binding:
        """The spaces that it may use."""
        return Binding(tuple(self.spaces), is_of_sub_agent=self.is_of_sub_agent)

    @property
    def is_active(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > utc_now())


class ConnectedApp(TenantModel):
    """A program that a person let into a workspace by signing in. Its tokens hang on its registration and that person,
    so that an app of a person is in one workspace at a time.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    client_id = models.CharField(max_length=255)
    name = models.CharField(max_length=255)
    scopes = ArrayField(models.CharField(max_length=10))
    spaces = ArrayField(models.CharField(max_length=MAX_NAME_CHARACTERS), blank=True, default=list, db_default=[])
    created_at = models.DateTimeField(default=utc_now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "connected_apps"
        verbose_name = "connected app"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "client_id"],
                condition=models.Q(revoked_at=None),
                name="one_workspace_for_an_app_of_a_person",
            )
        ]
        indexes = [models.Index(fields=["workspace", "-created_at"], name="connected_apps_newest")]

    def __str__(self) -> str:
        return self.name

    @property
    def space_words(self) -> list[str]:
        """The spaces that it may use; that of its person is `own`."""
        own = f"user:{self.user_id}"
        return ["own" if name == own else name for name in self.spaces or ("shared", own)]


class SpaceKind(models.TextChoices):
    """What a space is for; a custom one has a kind of its own in its key."""

    SHARED = "shared"
    USER = "user"
    AGENT = "agent"
    CUSTOM = "custom"


class Space(TenantModel):
    """A part of a workspace that something was written into. Its id follows from its name (`access/spaces.py`).

    `key` is the whole name of a custom space (`project:apollo`), that of a user or an agent alone, empty for `shared`.
    `erasure` is the receipt of the last erasure: who asked, and how many rows of which table went.
    """

    kind = models.CharField(max_length=6, choices=SpaceKind.choices)
    key = models.CharField(max_length=MAX_NAME_CHARACTERS, blank=True)
    title = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=utc_now)
    erasing_since = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    erasure = models.JSONField(default=dict, blank=True, db_default={})

    objects: ClassVar[TenantManager[Space]] = TenantManager()

    class Meta:
        db_table = "spaces"
        constraints = [models.UniqueConstraint(fields=["workspace", "kind", "key"], name="one_space_per_key")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name by which calls know it: `shared`, `user:42`, `project:apollo`."""
        return f"{self.kind}:{self.key}" if self.kind in {SpaceKind.USER, SpaceKind.AGENT} else self.key or self.kind

    @property
    def parsed_name(self) -> SpaceName:
        """The kind and the key of its name: `project` and `apollo` of a custom one."""
        return parse_entered_space(self.name)


class AuditEvent(TenantModel):
    """Who did what to which object, from where. Rows are added, never changed; they hold no memory text."""

    actor_kind = models.CharField(max_length=10)
    actor_id = models.CharField(max_length=64, blank=True)
    actor_label = models.CharField(max_length=200, blank=True)
    action = models.CharField(max_length=64)
    object_type = models.CharField(max_length=32, blank=True)
    object_id = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=64, blank=True)
    details = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=utc_now, editable=False)

    class Meta:
        db_table = "audit_events"
        indexes = [
            models.Index(fields=["workspace", "-created_at"], name="audit_events_newest"),
            models.Index(fields=["workspace", "object_id"], name="audit_events_by_object"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor_label}"


class IdempotentAnswer(TenantModel):
    """The response of a call, kept for a day: a retry under the same key gets the same response.

    `call` is a digest of who asked, for whom, in which spaces, where and under which key. `status` is null while the
    first one is at work; the answer is encrypted, and empty where it held a secret, was streamed, or was erased because
    something was deleted in one of the `spaces` that the call could read; without any, wherever it was deleted.
    """

    call = models.CharField(max_length=64)
    request_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True)
    is_erased = models.BooleanField(default=False)
    spaces = ArrayField(models.UUIDField(), default=list, db_default=[])
    created_at = models.DateTimeField(default=utc_now, editable=False)

    objects: ClassVar[TenantManager[IdempotentAnswer]] = TenantManager()

    class Meta:
        db_table = "idempotent_answers"
        constraints = [models.UniqueConstraint(fields=["workspace", "call"], name="one_answer_per_call")]
        indexes = [models.Index(fields=["workspace", "created_at"], name="answers_oldest")]


class Lease(TenantModel):
    """Who works on something in a workspace, and until when it is exclusive (`workspaces/access/leases.py`)."""

    name = models.CharField(max_length=120)
    holder = models.UUIDField()
    until = models.DateTimeField()

    class Meta:
        db_table = "leases"
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="one_lease_per_name")]

    def __str__(self) -> str:
        return self.name


class WaitingTask(TenantModel):
    """A task that is queued once fewer of its kind are for its workspace (`workspaces/access/unique_tasks.py`)."""

    task = models.CharField(max_length=120)
    subject = models.CharField(max_length=64)
    arguments = models.JSONField(default=list)

    objects: ClassVar[TenantManager[WaitingTask]] = TenantManager()

    class Meta:
        db_table = "waiting_tasks"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "task", "subject"], name="one_waiting_task_per_subject")
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.subject}"


class AttemptCounter(models.Model):
    """How often something was tried in a window of time (`workspaces/access/attempt_counters.py`).

    Belongs to the installation: attempts are counted before a caller is known.
    """

    key = models.CharField(max_length=80, primary_key=True)
    number = models.IntegerField()
    ends_at = models.DateTimeField(db_index=True)

    objects: ClassVar[models.Manager[AttemptCounter]] = models.Manager()

    class Meta:
        db_table = "attempt_counters"

    def __str__(self) -> str:
        return self.key


class WorkerHeartbeat(models.Model):
    """When a worker group last ran a task; `/readyz` reads it. Belongs to the installation, not to a workspace."""

    name = models.CharField(max_length=32, primary_key=True)
    beat_at = models.DateTimeField()

    class Meta:
        db_table = "worker_heartbeats"

    def __str__(self) -> str:
        return self.name
