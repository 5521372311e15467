"""What Django's models cannot say: room to update summaries in place."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("records", "0001_initial")]

    operations = [
        migrations.RunSQL(
            "alter table records_summary set (fillfactor = 50)", "alter table records_summary reset (fillfactor)"
        ),
    ]
