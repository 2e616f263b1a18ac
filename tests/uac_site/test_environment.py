"""A process that finds its environment wrong stops and says what to do."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from uac_site.env import BASE_DIR


def started_with(**variables: str) -> subprocess.CompletedProcess[str]:
    """The end of a process that only reads its settings."""
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=BASE_DIR,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "short"),
        ("WEB_THREADS", "none"),
        ("HTTPS", "perhaps"),
        ("LOG_LEVEL", "loud"),
        ("DATABASE_URL", "mysql://root:wombat@localhost/x"),
        ("UAC_METRICS_DIR", "/dev/null/counts"),
    ],
)
def test_a_wrong_value_is_named_with_the_remedy(name: str, value: str) -> None:
    ended = started_with(**{name: value})
    assert ended.returncode == 1
    assert name in ended.stderr
    assert "make .env" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "wombat" not in ended.stderr


def test_a_retry_that_comes_before_the_timeout_is_refused() -> None:
    ended = started_with(JOB_TIMEOUT_SECONDS="100", JOB_RETRY_SECONDS="200")
    assert ended.returncode == 1
    assert "JOB_RETRY_SECONDS" in ended.stderr


def test_a_production_environment_passes_the_deploy_check() -> None:
    ended = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=BASE_DIR,
        env={
            **os.environ,
            "HTTPS": "true",
            "DEBUG": "false",
            "SECRET_KEY": "k3y-" * 8 + "abcdefghij0123456789-ABCDEFGHIJKLMNOP",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


MODEL = {"OPENAI_BASE_URL": "https://models.example.org/v1", "UAC_MODEL": "small"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"OPENAI_BASE_URL": ""}, "OPENAI_BASE_URL"),
        ({"OPENAI_BASE_URL": "models.example.org"}, "OPENAI_BASE_URL"),
        ({"OPENAI_BASE_URL": "https://me:wombat@models.example.org"}, "OPENAI_API_KEY"),
        ({"OPENAI_BASE_URL": "https://models.example.org/v1?key=wombat"}, "OPENAI_API_KEY"),
        ({"OPENAI_API_KEY": "wombat\nX-Other: 1"}, "OPENAI_API_KEY"),
        ({"UAC_MODEL_SECONDS": "55"}, "JOB_TIMEOUT_SECONDS"),
        ({"UAC_MODEL_DAILY_BUDGET": "5"}, "UAC_MODEL_PRICES"),
        ({"UAC_MODEL_DAILY_BUDGET": "-5"}, "UAC_MODEL_DAILY_BUDGET"),
        ({"UAC_MODEL_PRICES": "small=1"}, "UAC_MODEL_PRICES"),
        ({"UAC_MODEL_PRICES": '{"small": {"input": "1"}}'}, "UAC_MODEL_PRICES"),
        (
            {
                "UAC_MODEL_DAILY_BUDGET_PER_PERSON": "1",
                "UAC_MODEL_READ": "other",
                "UAC_MODEL_PRICES": '{"small": {"input": "1", "output": "2"}}',
            },
            "what other costs",
        ),
    ],
)
def test_a_model_that_could_not_be_asked_or_stopped_is_refused(
    more: dict[str, str], said: str
) -> None:
    ended = started_with(**{**MODEL, **more})
    assert ended.returncode == 1
    assert said in ended.stderr
    assert "wombat" not in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_model_with_prices_and_a_budget_is_accepted() -> None:
    prices = '{"small": {"input": 0.4, "output": 1.6}}'
    ended = started_with(**MODEL, UAC_MODEL_PRICES=prices, UAC_MODEL_DAILY_BUDGET="5")
    assert ended.returncode == 0, ended.stderr
