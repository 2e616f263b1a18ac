"""The process environment, read once, typed, with an error that names the variable."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]"}
LEAST_DISTINCT = 12  # characters in a key; one of 40 random ones has more than 20
BASE_DIR = Path(__file__).resolve().parent.parent


def split_words(value: object) -> object:
    """`"a, b"` as `("a", "b")`."""
    return (
        tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value
    )


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(split_words)]


class Environment(BaseSettings):
    """Every setting an operator may give; `.env` in the project's folder is read too."""

    model_config = SettingsConfigDict(env_file=BASE_DIR / ".env", extra="ignore")

    secret_key: str = Field(min_length=40)
    debug: bool = False
    https: bool = True
    allowed_hosts: Words = ("localhost", "127.0.0.1", "[::1]")
    csrf_trusted_origins: Words = ()
    database_url: str = f"sqlite:///{BASE_DIR / 'var' / 'uac.sqlite3'}"
    redis_url: str = ""
    log_level: str = "INFO"

    web_threads: int = Field(default=8, ge=1, le=256)
    worker_processes: int = Field(default=2, ge=1, le=64)
    job_timeout_seconds: int = Field(default=60, ge=5)
    job_retry_seconds: int = Field(default=180, ge=15)

    uac_inline_evaluation_ms: int = Field(default=250, ge=1, le=10_000)
    uac_inline_facts: int = Field(default=100, ge=1, le=1_000)
    uac_requests_per_minute: int = Field(default=6_000, ge=1)
    audit_retention_days: int = Field(default=2_190, ge=30)

    uac_session_idle_seconds: int = Field(default=1_800, ge=60)
    uac_session_hours: int = Field(default=12, ge=1, le=168)
    uac_demo_without_second_factor: bool = False

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
