"""The accounts of staff."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "uac_site.accounts"
    label = "accounts"
