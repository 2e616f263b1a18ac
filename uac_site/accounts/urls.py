"""The addresses of the door, of one's own account, and of the admins' office."""

from __future__ import annotations

from django.urls import path
from django.views.generic import RedirectView

from uac_site.accounts.views import (
    account,
    deliveries,
    enrolment,
    escalation,
    keys,
    sign_in,
    staff,
    teams,
)

urlpatterns = [
    path("login", sign_in.SignInView.as_view(), name="login"),
    path("login/code", sign_in.code, name="sign_in_code"),
    path("login/password", sign_in.own_password, name="sign_in_password"),
    path("login/second-factor", enrolment.enrol_at_the_door, name="sign_in_enrol"),
    path("login/qr.svg", enrolment.qr, name="enrol_qr"),
    path("logout", sign_in.log_out, name="logout"),
    path("session", account.session, name="session"),
    path("session-ended", sign_in.session_ended, name="session_ended"),
    path("account", account.account, name="account"),
    path("account/password", account.password, name="password"),
    path("account/sessions/end", account.end_others, name="end_sessions"),
    path("account/second-factor", enrolment.second_factor, name="second_factor"),
    path("account/second-factor/codes", enrolment.recovery_codes, name="recovery_codes"),
    path("account/second-factor/remove", enrolment.remove, name="remove_second_factor"),
    # Django admin has doors of its own, which know nothing of the second factor
    path("admin/login/", RedirectView.as_view(pattern_name="login", query_string=True)),
    path("admin/logout/", sign_in.log_out),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("office/staff", staff.staff_list, name="staff"),
    path("office/staff/new", staff.new_staff, name="new_staff"),
    path("office/staff/<int:staff_id>", staff.one_staff, name="one_staff"),
    path("office/staff/<int:staff_id>/grant", staff.grant, name="grant_role"),
    path("office/staff/<int:staff_id>/withdraw", staff.withdraw, name="withdraw_role"),
    path("office/staff/<int:staff_id>/disable", staff.disable, name="disable_staff"),
    path("office/staff/<int:staff_id>/enable", staff.enable, name="enable_staff"),
    path(
        "office/staff/<int:staff_id>/second-factor/reset",
        staff.forget_second_factor,
        name="reset_second_factor",
    ),
    path("office/staff/<int:staff_id>/password", staff.new_password, name="reset_password"),
    path("office/teams", teams.teams, name="teams"),
    path("office/teams/<uuid:team_id>", teams.team, name="team"),
    path("office/teams/<uuid:team_id>/name", teams.rename, name="rename_team"),
    path("office/teams/<uuid:team_id>/members", teams.join, name="add_member"),
    path(
        "office/teams/<uuid:team_id>/members/<int:membership_id>/end",
        teams.leave,
        name="end_membership",
    ),
    path("office/teams/<uuid:team_id>/people", teams.place, name="place_person"),
    path(
        "office/teams/<uuid:team_id>/people/<int:placement_id>/end",
        teams.displace,
        name="end_placement",
    ),
    path("office/teams/<uuid:team_id>/escalation", escalation.escalation, name="escalation"),
    path("office/teams/<uuid:team_id>/escalation/set", escalation.manner, name="set_escalation"),
    path(
        "office/teams/<uuid:team_id>/escalation/steps",
        escalation.new_step,
        name="add_escalation_step",
    ),
    path(
        "office/teams/<uuid:team_id>/escalation/steps/<int:step_id>/remove",
        escalation.drop_step,
        name="remove_escalation_step",
    ),
    path("office/teams/<uuid:team_id>/webhooks", escalation.new_webhook, name="add_team_webhook"),
    path("office/deliveries", deliveries.deliveries, name="deliveries"),
    path("office/deliveries/<uuid:delivery_id>/again", deliveries.send_again, name="office_replay"),
    path(
        "office/webhooks/<uuid:webhook_id>/rotate",
        deliveries.rotate,
        name="office_rotate_webhook",
    ),
    path("office/webhooks/<uuid:webhook_id>/end", deliveries.end, name="office_end_webhook"),
    path("office/webhooks/<uuid:webhook_id>/test", deliveries.test, name="office_test_webhook"),
    path("office/staff/<int:staff_id>/email", staff.email, name="staff_email"),
    path("office/keys", keys.keys, name="keys"),
    path("office/keys/new", keys.new_key, name="new_key"),
    path("office/keys/team", keys.app_team, name="app_team"),
    path("office/keys/<uuid:key_id>", keys.key, name="key"),
    path("office/keys/<uuid:key_id>/rotate", keys.rotate, name="rotate_key"),
    path("office/keys/<uuid:key_id>/revoke", keys.revoke, name="revoke_key"),
]
