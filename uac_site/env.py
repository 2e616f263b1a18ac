"""The process environment, read once, typed, with an error that names the variable."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

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

    def model_post_init(self, context: object, /) -> None:
        if self.job_retry_seconds < 3 * self.job_timeout_seconds:
            raise ValueError("JOB_RETRY_SECONDS must be at least 3 x JOB_TIMEOUT_SECONDS")


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
