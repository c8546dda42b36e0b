import { isObject, own } from '../../base/json/json.ts';
import { addTo } from '../../base/multimap.ts';
import { compareText } from '../../base/text/compareText.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { equalValues } from '../../kinds/normalForm/equal.ts';
import type { Reference } from '../../kinds/shape/references.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import { memberShape } from '../../patch/model/place.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { Draft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { shapeFacts } from '../record/shapeFacts.ts';

/** At most this many readers are named. */
const mostNamed = 10;

/** The encoding of all values of the secret. */
const aboutAll = 'encoding';

/** These refer to a secret without reading it. */
const namesOnly: ReadonlySet<Kind> = new Set<Kind>(['policy', 'group']);

/** Notes for secrets whose values change: the changed keys, never their values, and the readers. */
export function noteSecrets(
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const changed = [...drafts.values()].flatMap((draft) => {
    const fields = changedSensitive(draft);
    return fields.length === 0 ? [] : [{ draft, keys: keysOf(draft, fields, planning) }];
  });
  if (changed.length === 0) return drafts;
  const readers = findReaders(new Set(changed.map(({ draft }) => draft.id)), drafts, planning);
  const noted = changed.map(({ draft, keys }): readonly [ResourceId, Draft] => {
    const notes = [...keysNote(keys), ...readersNote(readers.get(draft.id) ?? [], keys)];
    return [draft.id, { ...draft, notes: [...draft.notes, ...notes] }];
  });
  return new Map([...drafts, ...noted]);
}

/** The sensitive fields of a live secret that are written. */
function changedSensitive({ kind, action, live, desired, fields }: Draft): readonly string[] {
  if (hiddenField(kind) === undefined || live === undefined || desired === undefined) return [];
  if (action !== 'patch' && action !== 'replace' && action !== 'adopt') return [];
  const { sensitive } = shapeFacts(shapeOf(kind, desired.record));
  return sensitive.filter((name) => fields.some(({ path }) => path === name || path.startsWith(`${name}.`)));
}

interface ChangedKeys {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Undefined where the live values may not be read, or are one text. */
function keysOf(
  { ref, live, desired }: Draft,
  fields: readonly string[],
  planning: PlanContext,
): ChangedKeys | undefined {
  const shape = shapeOf(ref.kind, desired?.record);
  const context = contextOf(ref, planning.org);
  const [changed, added, removed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const name of fields) {
    const field = shape.fields.get(name);
    const [before, after] = [own(live?.record ?? {}, name), own(desired?.record ?? {}, name)];
    if (field === undefined || !isObject(before) || !isObject(after)) return undefined;
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (equalValues(memberShape(field, key), own(before, key), own(after, key), context)) continue;
      const into = own(before, key) === undefined ? added : own(after, key) === undefined ? removed : changed;
      into.add(key);
    }
  }
  const sorted = (keys: ReadonlySet<string>): readonly string[] => [...keys].sort(compareText);
  return { changed: sorted(changed), added: sorted(added), removed: sorted(removed) };
}

function keysNote(keys: ChangedKeys | undefined): readonly string[] {
  if (keys === undefined) return [];
  const parts = [
    ...keys.changed.map((key) => `${key} changed`),
    ...keys.added.map((key) => `${key} added`),
    ...keys.removed.map((key) => `${key} removed`),
  ];
  return parts.length === 0 ? [] : [`keys: ${parts.join(', ')}`];
}

interface Reader {
  readonly id: ResourceId;
  readonly reference: Reference;
}

/** Records that refer to these secrets after the plan, as far as known. */
function findReaders(
  secrets: ReadonlySet<ResourceId>,
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): ReadonlyMap<ResourceId, readonly Reader[]> {
  const readers = new Map<ResourceId, Reader[]>();
  const look = (id: ResourceId, references: readonly Reference[]): void => {
    for (const reference of references) {
      const target = formatRef(reference.target);
      if (!secrets.has(target)) continue;
      addTo(readers, target, { id, reference });
    }
  };
  for (const resource of planning.desired.values()) {
    if (!namesOnly.has(resource.ref.kind)) look(resource.id, planning.desiredReferences(resource));
  }
  for (const live of planning.known.values()) {
    const goes = drafts.get(live.id)?.action === 'delete';
    if (planning.desired.has(live.id) || goes || namesOnly.has(live.ref.kind)) continue;
    look(live.id, planning.liveReferences(live));
  }
  return readers;
}

/** A reader of a single key is affected only if that key changes. */
function readersNote(readers: readonly Reader[], keys: ChangedKeys | undefined): readonly string[] {
  const moved = keys && new Set([...keys.changed, ...keys.added, ...keys.removed]);
  const isConcerned = ({ reference: { key } }: Reader): boolean =>
    key === undefined || moved === undefined || moved.has(key) || moved.has(aboutAll);
  const ids = [...new Set(readers.filter(isConcerned).map(({ id }) => id))].sort(compareText);
  if (ids.length === 0) return [];
  return [`read by ${firstOf(ids, mostNamed)}`];
}
