"""Logins and authenticators are not in the administration: pages of their own record each step."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import Group, User
from django_otp.plugins.otp_totp.models import TOTPDevice

for model in (User, Group, TOTPDevice):
    if admin.site.is_registered(model):
        admin.site.unregister(model)
