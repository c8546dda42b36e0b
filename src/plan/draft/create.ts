import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { fieldChanges } from '../../patch/show/fieldChanges.ts';
import { minuteOf } from '../model/cause.ts';
import { deletedBefore } from '../model/deletedBefore.ts';
import { type Draft, makeDraft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { sensitivityOf } from '../record/sensitivityOf.ts';
import { renamingsOf } from '../rename/rename.ts';
import { createBodies, newRecord, takingOver } from './newRecord.ts';
import { waiting } from './waiting.ts';

/**
 * A POST, and a PATCH after it for the references to what only its own children can be. What takes the place of another
 * (`lifecycle.previously`, a replacement that was not finished) takes over from that what a replacement would.
 */
export function draftCreate(resource: DesiredResource, planning: PlanContext): Draft {
  const old = renamingsOf(planning).byNew.get(resource.id)?.old;
  const deleted = old === undefined ? deletedBefore(resource, planning) : undefined;
  const created = newRecord(resource, old ?? deleted, planning);
  const { whole, notes, tags, refusals, inDoubt } = created;
  return makeDraft(
    { id: resource.id, ref: resource.ref, desired: resource },
    {
      action: 'create',
      reason: deleted === undefined ? whyAbsent(resource, planning) : `${deletedBy}${asWhat(resource, deleted)}`,
      fields: fieldChanges(
        sensitivityOf(resource),
        {},
        deleted === undefined ? whole : { ...whole, tags: { ...tags.foreign, ...tags.declared } },
      ),
      ...createBodies(resource, created, (old ?? deleted)?.record, planning),
      ...(old === undefined ? {} : takingOver(created, planning)),
      ...fromOf(old ?? deleted),
      ...waiting(resource, planning.options),
      ...(inDoubt === true ? { inDoubt } : {}),
      refusals,
      notes,
    },
  );
}

function fromOf(from: LiveResource | undefined): Pick<Draft, 'from'> {
  return from === undefined ? {} : { from };
}

const deletedBy = 'deleted by an unfinished replacement of this stack';

function whyAbsent({ id }: DesiredResource, { snapshot: { deletions } }: PlanContext): string {
  const gone = deletions?.get(id);
  return gone === undefined ? 'it does not exist yet' : `it was deleted by ${gone.name} at ${minuteOf(gone.at)}`;
}

function asWhat({ id }: DesiredResource, deleted: LiveResource): string {
  return deleted.id === id ? '' : `, as ${deleted.id}`;
}
