"""Outline the proposals that were made before there was a queue."""

from django.db import migrations

from memory.project.danger import counted, gravest
from memory.project.outline import outline


def outline_all(apps, schema_editor):
    Proposal, Tree, Blob = (apps.get_model("memory", name) for name in ("Proposal", "Tree", "Blob"))

    def files_of(digest):
        files = Tree.objects.filter(pk=digest).values_list("files", flat=True).first() or {}
        texts = dict(Blob.objects.filter(pk__in=[*files.values()]).values_list("digest", "text"))
        return {path: texts[blob] for path, blob in files.items()}

    rows = Proposal.objects.only("parent", "tree_id", "provisional", "replay").order_by("pk")
    for proposal in rows.iterator(chunk_size=50):
        gained = counted((proposal.provisional or {}).get("found", ()))
        gone = proposal.replay[-1].get("gone", ()) if proposal.replay else ()
        named = outline(files_of(proposal.parent), files_of(proposal.tree_id))
        Proposal.objects.filter(pk=proposal.pk).update(
            outline={**named, "gained": gained, "lost": counted(gone)}, danger=gravest(gained)
        )


class Migration(migrations.Migration):
    dependencies = [("memory", "0018_what_the_queue_shows")]
    operations = [migrations.RunPython(outline_all, migrations.RunPython.noop)]
