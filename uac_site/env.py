"""The process environment, read once, typed, with an error that names the variable."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import dj_database_url
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]"}
LEAST_TOKEN = 24
LEAST_DISTINCT = 12  # characters in a key; one of 40 random ones has more than 20
JOB_MARGIN_SECONDS = 10  # for what a job does besides asking a model
BASE_DIR = Path(__file__).resolve().parent.parent


def split_words(value: object) -> object:
    """`"a, b"` as `("a", "b")`."""
    return (
        tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value
    )


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(split_words)]
TwoApprovals = Annotated[
    tuple[Literal["critical", "warning", "lessened", "all"], ...],
    NoDecode,
    BeforeValidator(split_words),
]


def read_json(value: object) -> object:
    """Text as the JSON that it is; none is an empty object."""
    return json.loads(value or "{}") if isinstance(value, str) else value


def none_if_empty(value: object) -> object:
    """An empty text as None."""
    return None if value == "" else value


def upper(value: object) -> object:
    """A text in capitals."""
    return value.upper() if isinstance(value, str) else value


def known_database(value: str) -> str:
    """The address of a PostgreSQL or SQLite database; it is not shown, since it has a password."""
    try:
        engine = str(dj_database_url.parse(value)["ENGINE"])
    except ValueError:
        engine = ""
    if not engine.endswith((".postgresql", ".sqlite3")):
        raise ValueError("give an address such as postgres://user@host/name or sqlite:////a/path")
    return value


def plain_address(value: str) -> str:
    """An address without a slash at the end; it is shown, so that no password may be in it."""
    parts = urlsplit(value)
    if value and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError("give an address such as https://models.example.org/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            "give the address alone, without user, password, ? and #; "
            "a model's key belongs into OPENAI_API_KEY"
        )
    return value.rstrip("/")


def printable(value: SecretStr) -> SecretStr:
    """A key that fits into a header of HTTP; what it is, no error says."""
    key = value.get_secret_value().strip()
    if not (key.isascii() and (key.isprintable() or not key)):
        raise ValueError("a key is one line of ASCII characters")
    return SecretStr(key)


def long_enough(value: SecretStr) -> SecretStr:
    """No token at all, or one that cannot be guessed."""
    if 0 < len(value.get_secret_value()) < LEAST_TOKEN:
        raise ValueError(f"a token has at least {LEAST_TOKEN} characters; leave it empty for none")
    return value


def made_folder(value: str) -> str:
    """A folder, made if there is none; an empty text is none."""
    try:
        if value:
            Path(value).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"this can be no folder: {error.strerror}") from None
    return value


class ModelPrice(BaseModel, extra="forbid"):
    """What a million tokens cost."""

    input: Decimal = Field(ge=0, le=10_000)
    output: Decimal = Field(ge=0, le=10_000)


Address = Annotated[str, Field(max_length=200), AfterValidator(plain_address)]
Money = Annotated[Decimal, Field(ge=0, le=1_000_000)]
Budget = Annotated[Money | None, BeforeValidator(none_if_empty)]
Folder = Annotated[Path | None, BeforeValidator(none_if_empty)]
MadeFolder = Annotated[str, AfterValidator(made_folder)]
LogLevel = Annotated[
    Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(upper)
]
Prices = Annotated[dict[str, ModelPrice], NoDecode, BeforeValidator(read_json)]
Key = Annotated[SecretStr, AfterValidator(printable)]
MetricsToken = Annotated[SecretStr, AfterValidator(printable), AfterValidator(long_enough)]
ModelName = Annotated[str, Field(max_length=100)]


class Environment(BaseSettings):
    """Every setting an operator may give; `.env` in the project's folder is read too."""

    model_config = SettingsConfigDict(env_file=BASE_DIR / ".env", extra="ignore")

    secret_key: str = Field(min_length=40)
    debug: bool = False
    https: bool = True
    allowed_hosts: Words = ("localhost", "127.0.0.1", "[::1]")
    csrf_trusted_origins: Words = ()
    database_url: Annotated[str, AfterValidator(known_database)] = (
        f"sqlite:///{BASE_DIR / 'var' / 'uac.sqlite3'}"
    )
    redis_url: str = ""
    log_level: LogLevel = "INFO"
    log_format: Literal["line", "json"] = "line"
    log_requests: bool = False

    web_threads: int = Field(default=8, ge=1, le=256)
    worker_processes: int = Field(default=2, ge=1, le=64)
    job_timeout_seconds: int = Field(default=60, ge=5)
    job_retry_seconds: int = Field(default=180, ge=15)

    uac_inline_evaluation_ms: int = Field(default=250, ge=1, le=10_000)
    uac_inline_facts: int = Field(default=100, ge=1, le=1_000)
    uac_requests_per_minute: int = Field(default=6_000, ge=1)
    uac_two_approvals: TwoApprovals = ()
    audit_retention_days: int = Field(default=2_190, ge=30)

    uac_site_url: Address = ""
    uac_webhook_private_targets: bool = False
    email_host: str = ""
    email_port: int = Field(default=587, ge=1, le=65_535)
    email_security: Literal["starttls", "tls", "none"] = "starttls"
    email_host_user: str = ""
    email_host_password: SecretStr = SecretStr("")
    email_from: str = "user-as-code@localhost"

    uac_metrics_token: MetricsToken = SecretStr("")
    uac_metrics_dir: MadeFolder = ""
    uac_worker_silent_seconds: int = Field(default=300, ge=90)

    uac_session_idle_seconds: int = Field(default=1_800, ge=60)
    uac_session_hours: int = Field(default=12, ge=1, le=168)
    uac_demo_without_second_factor: bool = False

    openai_base_url: Address = ""
    openai_api_key: Key = SecretStr("")
    uac_model: ModelName = ""
    uac_model_read: ModelName = ""
    uac_model_structure: ModelName = ""
    uac_model_ask: ModelName = ""
    uac_model_embed: ModelName = ""
    uac_embed_folder: Folder = None
    uac_model_seconds: float = Field(default=45, gt=0, le=3_600)
    uac_model_connect_seconds: float = Field(default=5, gt=0, le=60)
    uac_model_silence_seconds: float = Field(default=30, gt=0, le=3_600)
    uac_model_answer_bytes: int = Field(default=4_000_000, ge=10_000, le=100_000_000)
    uac_model_answer_tokens: int = Field(default=4_096, ge=16, le=1_000_000)
    uac_model_attempts: int = Field(default=3, ge=1, le=10)
    uac_model_retry_after_seconds: float = Field(default=20, ge=0, le=600)
    uac_model_breaker_failures: int = Field(default=5, ge=1, le=1_000)
    uac_model_breaker_seconds: float = Field(default=60, ge=1, le=3_600)
    uac_model_prices: Prices = {}
    uac_prompt_tokens: int = Field(default=8_000, ge=6_000, le=1_000_000)
    uac_read_attempts: int = Field(default=3, ge=1, le=10)
    uac_ask_prompt_tokens: int = Field(default=12_000, ge=8_000, le=1_000_000)
    uac_ask_attempts: int = Field(default=3, ge=1, le=10)
    uac_ask_seconds: float = Field(default=60, gt=0, le=3_600)
    uac_structure_prompt_tokens: int = Field(default=24_000, ge=16_000, le=1_000_000)
    uac_structure_attempts: int = Field(default=3, ge=1, le=10)
    uac_structure_answer_tokens: int = Field(default=16_000, ge=1_000, le=1_000_000)
    uac_structure_seconds: int = Field(default=300, ge=60, le=7_200)
    uac_model_daily_budget: Budget = None
    uac_model_daily_budget_per_person: Budget = None

    @property
    def models(self) -> dict[str, str]:
        """The model of each stage, and of those that have none of their own: ""."""
        return {
            "": self.uac_model,
            "read": self.uac_model_read,
            "structure": self.uac_model_structure,
            "ask": self.uac_model_ask,
            "embed": self.uac_model_embed,
        }

    @property
    def only_here(self) -> bool:
        """Whether the site answers on this machine alone, without HTTPS: a demo, not production."""
        return not self.https and {*self.allowed_hosts} <= LOCAL_HOSTS

    def model_post_init(self, context: object, /) -> None:
        self._refuse_defaults()
        if self.job_retry_seconds < 3 * self.job_timeout_seconds:
            raise ValueError("JOB_RETRY_SECONDS must be at least 3 x JOB_TIMEOUT_SECONDS")
        if self.uac_demo_without_second_factor and not self.only_here:
            raise ValueError(
                "UAC_DEMO_WITHOUT_SECOND_FACTOR is for a demo on this machine: "
                "not with HTTPS, nor with ALLOWED_HOSTS of other machines"
            )

        self._check_model()
        self._check_vectors()

    def _check_vectors(self) -> None:
        """Vectors come from one place, and need NumPy."""
        if not (self.uac_model_embed or self.uac_embed_folder):
            return
        if self.uac_model_embed and self.uac_embed_folder:
            raise ValueError("give UAC_MODEL_EMBED or UAC_EMBED_FOLDER, not both")
        if self.uac_embed_folder and not (self.uac_embed_folder / "model.safetensors").is_file():
            raise ValueError("UAC_EMBED_FOLDER holds no model.safetensors; see docs/recall.md")
        if find_spec("numpy") is None:
            raise ValueError("vectors need NumPy: .venv/bin/pip install -c constraints.txt numpy")

    def _check_model(self) -> None:
        """A budget needs prices, and a job must outlive the call that it makes."""
        named = {name for name in self.models.values() if name}
        if named and not self.openai_base_url:
            raise ValueError("UAC_MODEL needs OPENAI_BASE_URL, where the model is asked")
        if not named:
            return
        if self.uac_model_seconds > self.job_timeout_seconds - JOB_MARGIN_SECONDS:
            raise ValueError(
                f"UAC_MODEL_SECONDS must be {JOB_MARGIN_SECONDS} less than JOB_TIMEOUT_SECONDS"
            )
        budgets = (self.uac_model_daily_budget, self.uac_model_daily_budget_per_person)
        unpriced = sorted(named - self.uac_model_prices.keys())
        if unpriced and any(budget is not None for budget in budgets):
            raise ValueError(
                f"a budget needs UAC_MODEL_PRICES to name what {', '.join(unpriced)} costs"
            )

    def _refuse_defaults(self) -> None:
        """With HTTPS it is production: no key of a tutorial, no debugging, no host by default."""
        if not self.https:
            return
        if self.debug:
            raise ValueError("DEBUG shows what is stored to whoever meets an error: not with HTTPS")
        if len(set(self.secret_key)) < LEAST_DISTINCT or "insecure" in self.secret_key:
            raise ValueError("SECRET_KEY is no random one; make one with `make .env`")
        if "*" in self.allowed_hosts:
            raise ValueError("ALLOWED_HOSTS must name the hosts: * believes any")


@cache
def environment() -> Environment:
    """The environment of this process; stops it with a remedy when something is wrong."""
    try:
        return Environment()
    except ValidationError as error:
        lines = [
            f"  {'.'.join(str(part) for part in problem['loc']).upper() or 'settings'}: "
            f"{problem['msg']}"
            for problem in error.errors()
        ]
        sys.exit(
            "The environment is not complete:\n"
            + "\n".join(lines)
            + "\nSet it in the environment or in .env; `make .env` writes one for this machine."
        )
