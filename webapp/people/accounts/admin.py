"""People in the administration, with what each may have."""

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group

from webapp.common.audited_admin import AuditedAdmin
from webapp.people.accounts.models import Quota, User


class QuotaInline(admin.StackedInline):  # type: ignore[type-arg]  # generic in the stubs only
    """What differs from the lab's defaults for this person."""

    model = Quota
    can_delete = True
    verbose_name_plural = "quota: empty is the default of the lab, 0 is no limit; staff have none"


@admin.register(User)
class PersonAdmin(AuditedAdmin, UserAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Accounts."""

    inlines = (QuotaInline,)


admin.site.unregister(Group)


@admin.register(Group)
class AuditedGroupAdmin(AuditedAdmin, GroupAdmin):
    """Groups of staff."""
