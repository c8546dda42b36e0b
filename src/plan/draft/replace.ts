import { type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { normalise } from '../../kinds/normalForm/normalise.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { appliedTag, ownerTag } from '../../manifest/model/ownTags.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { contextOf } from '../../schema/record/ref.ts';
import { type Draft, makeDraft, waiting } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { replacingTag } from '../record/replacementMark.ts';
import { sensitivityOf, withoutFields } from '../record/shapeFacts.ts';
import { createBodies, newRecord, takingOver } from './newRecord.ts';

/** A DELETE and a POST, because something cannot be changed in place. */
export function draftReplace(
  resource: DesiredResource,
  live: LiveResource,
  reason: string,
  planning: PlanContext,
): Draft {
  const created = newRecord(resource, live, planning);
  const { whole, notes, tags, refusals, inDoubt } = created;
  const after = { ...whole, tags: { ...tags.foreign, ...tags.declared } };
  return makeDraft(
    { id: resource.id, ref: resource.ref, desired: resource, live },
    {
      action: 'replace',
      reason,
      fields: fieldChanges(
        sensitivityOf(resource, live.record),
        withoutOwn(live.record),
        normalise(resource.ref.kind, after, contextOf(resource.ref, planning.org)),
      ),
      ...createBodies(resource, created, live.record, planning),
      ...takingOver(created, planning),
      ...waiting(resource, planning.options),
      ...present({ inDoubt }),
      refusals,
      notes,
    },
  );
}

function withoutOwn(record: JsonObject): JsonObject {
  const tags = withoutFields(objectAt(record, 'tags'), [[ownerTag], [appliedTag], [replacingTag]]);
  return own(record, 'tags') === undefined ? record : { ...record, tags };
}
