"""Django's administration on a site of our own."""

from __future__ import annotations

from django.contrib.admin import apps  # a name of its own here would be taken for ours


class OfficeConfig(apps.AdminConfig):
    """Installed in place of `django.contrib.admin`."""

    default = False  # of this package
    default_site = "uac_site.office.Office"
