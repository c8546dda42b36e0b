import { type JsonObject, objectAt } from '../../base/json/json.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import { appliedTag } from '../../manifest/model/ownTags.ts';
import { withoutFields } from '../../plan/record/shapeFacts.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/**
 * The live state, with the ownership of all but these resources removed: the rest of the stack is neither changed nor
 * deleted, can still be referred to, and counts as bystanders in a deleted GVC. What else the stack may have is of no
 * interest then.
 */
export function disownOthers(snapshot: Snapshot, concerned: ReadonlySet<ResourceId>): Snapshot {
  const aside = (live: LiveResource): LiveResource =>
    concerned.has(live.id) ? live : { ...live, record: withoutMarks(live.record) };
  const { gaps: _, ...known } = snapshot;
  return {
    ...known,
    resources: new Map([...snapshot.resources].map(([id, live]) => [id, aside(live)])),
    closures: new Map(
      [...snapshot.closures].map(([gvc, closure]) => [gvc, { ...closure, children: closure.children.map(aside) }]),
    ),
  };
}

function withoutMarks(record: JsonObject): JsonObject {
  const tags = objectAt(record, 'tags');
  const marks = Object.keys(tags).filter((key) => key.startsWith(appliedTag));
  if (marks.length === 0) return record;
  const rest = withoutFields(
    tags,
    marks.map((key) => [key]),
  );
  return { ...record, tags: rest };
}
