import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../base/json/json.ts';
import { minimalFieldsOf, runs } from '../kinds/kindFacts.ts';
import { references } from '../kinds/references.ts';
import type { Snapshot, SnapshotRequest } from '../manifest/live/snapshot.ts';
import type { Plan } from '../plan/model/plan.ts';
import { isRead } from '../schema/record/kinds.ts';
import { contextOf, formatRef, parseLink, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { type DumpRow, placed } from './liveRow.ts';
import { hiddenStandIn } from './standInSecret.ts';

/** The known part of the live state, and the plan. */
export interface Known {
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  readonly request: SnapshotRequest;
}

/** Resources that were requested by name: if they were not returned, they do not exist. */
export function askedFor({ declared, referenced }: SnapshotRequest): ReadonlySet<ResourceId> {
  const asked = [...declared, ...referenced].filter(({ kind }) => isRead(kind));
  return new Set(asked.map(formatRef));
}

/**
 * Targets of changed records, before or after the change, that were not read: users, images, workloads of other GVCs
 * and the like. Resources that were requested but not found stay absent.
 */
export function unread({ plan, snapshot, request }: Known): readonly Ref[] {
  const { org } = snapshot;
  const known = new Set<ResourceId>([
    ...askedFor(request),
    ...snapshot.resources.keys(),
    ...[...snapshot.closures.values()].flatMap(({ children }) => children.map(({ id }) => id)),
    ...plan.changes.map(({ id }) => id),
  ]);
  const found = new Map<ResourceId, Ref>();
  function add(ref: Ref): void {
    // The content of a GVC that may be deleted was listed completely.
    if (known.has(formatRef(ref)) || (ref.gvc !== undefined && snapshot.closures.get(ref.gvc)?.known === true)) return;
    found.set(formatRef(ref), ref);
    if (ref.gvc !== undefined) add({ kind: 'gvc', name: ref.gvc });
  }
  for (const { ref, record } of recordsOf(plan, snapshot)) for (const target of targets(ref, record, org)) add(target);
  return [...found.values()].sort((a, b) => (formatRef(a) < formatRef(b) ? -1 : 1));
}

interface Placed {
  readonly ref: Ref;
  readonly record: JsonObject;
}

function recordsOf({ changes }: Plan, { resources }: Snapshot): readonly Placed[] {
  return changes.flatMap(({ id, ref, action, expected, expectedThen, create }) => {
    if (action === 'keep' || action === 'delete') return [];
    const bodies = [expected, expectedThen, create].flatMap((body) => (body === undefined ? [] : [body.expose()]));
    return [resources.get(id)?.record, ...bodies].flatMap((record) => (record === undefined ? [] : [{ ref, record }]));
  });
}

function targets(ref: Ref, record: JsonObject, org: string): readonly Ref[] {
  const named = references(ref.kind, record, contextOf(ref, org))
    .filter((reference) => reference.org === org && reference.strength !== 'none')
    .map(({ target }) => target);
  return [...named, ...images(ref, record, org)];
}

/** Images of the own registry, which are not references in the schema, because nothing waits for them. */
function images({ kind }: Ref, record: JsonObject, org: string): readonly Ref[] {
  if (!runs(kind)) return [];
  return listAt(objectAt(record, 'spec'), 'containers').flatMap((container) => {
    const text = isObject(container) ? stringAt(container, 'image') : undefined;
    const image = text?.startsWith('/') === true ? parseLink(text, { org })?.ref : undefined;
    return image ?? [];
  });
}

/** A minimal record. */
export function standInFor(ref: Ref, org: string): DumpRow {
  const { kind, name, gvc = '' } = ref;
  const id = formatRef(ref);
  const times = { createdMs: 0, modifiedMs: 0 };
  const record = { name, description: name, tags: {}, ...minimalFieldsOf(ref) };
  const hidden = hiddenStandIn(kind, record);
  return placed({ kind, gvc, name, uid: `stand-in ${id}`, version: 1, ...times, record, hidden, state: {} }, org);
}
