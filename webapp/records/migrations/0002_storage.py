"""What Django's models cannot say: adding histograms in SQL, and room for updates in place."""

from django.db import migrations

ADD_COUNTS = """
create function lab_add_counts(a integer[], b integer[]) returns integer[]
language sql immutable parallel safe
return (
    select array_agg(coalesce(x, 0) + coalesce(y, 0) order by position)
    from unnest(a, b) with ordinality as pair (x, y, position)
);
"""


class Migration(migrations.Migration):
    dependencies = [("records", "0001_initial")]

    operations = [
        migrations.RunSQL(ADD_COUNTS, "drop function lab_add_counts(integer[], integer[])"),
        migrations.RunSQL(
            "alter table records_summary set (fillfactor = 50)", "alter table records_summary reset (fillfactor)"
        ),
    ]
