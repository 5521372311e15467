from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("presets", "0001_initial")]

    operations = [migrations.AddField("presetrun", "form", models.UUIDField(null=True))]
