import { unlike } from '../apply/replyCheck.ts';
import { type JsonObject, objectAt, sameJson, stringAt } from '../base/json/json.ts';
import { appliedTag } from '../manifest/model/ownTags.ts';
import { withoutVersion } from '../plan/record/version.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import type { Dump } from '../server/inProcess.ts';
import { refOfRow } from '../server/store/model/row.ts';

interface Held {
  readonly ref: Ref;
  /** The client-owned part, including secret values, without the members that count writes. */
  readonly record: JsonObject;
}

/** The content of a state without ids, times and versions. */
export type FinalState = ReadonlyMap<ResourceId, Held>;

export function finalState(state: Dump, org: string): FinalState {
  const rows = state[org]?.records ?? [];
  return new Map(
    rows.map((row) => {
      const ref = refOfRow(row);
      return [formatRef(ref), { ref, record: unversioned({ ...row.record, ...row.hidden }) }];
    }),
  );
}

/** `gantry/applied` contains the version of its write. */
function unversioned(record: JsonObject): JsonObject {
  const tags = objectAt(record, 'tags');
  const applied = stringAt(tags, appliedTag);
  if (applied === undefined) return record;
  return { ...record, tags: { ...tags, [appliedTag]: withoutVersion(applied) } };
}

/** The differences from the expected state, in words, sorted, without values. */
export function differencesBetween(expected: FinalState, found: FinalState, org: string): readonly string[] {
  const missing = [...expected.keys()].filter((id) => !found.has(id)).map((id) => `${id} is missing`);
  const more = [...found.keys()].filter((id) => !expected.has(id)).map((id) => `${id} is left over`);
  const changed = [...expected].flatMap(([id, held]) => {
    const other = found.get(id);
    return other === undefined || sameJson(held.record, other.record) ? [] : differences(id, held, other, org);
  });
  return [...missing, ...more, ...changed].sort();
}

function differences(id: ResourceId, expected: Held, found: Held, org: string): readonly string[] {
  const paths = new Set([...oneWay(expected, found, org), ...oneWay(found, expected, org)]);
  return [...paths].map((path) => `${id}: ${path} is otherwise`);
}

function oneWay({ ref, record: expected }: Held, { record }: Held, org: string): readonly string[] {
  return unlike(expected, { ref, id: formatRef(ref), uid: '', version: 0, record }, org);
}
