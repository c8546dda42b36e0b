import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { Body } from '../../../src/manifest/model/body.ts';
import type { Change, Edge, UncheckedChange } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { formatRef, type Ref } from '../../../src/schema/record/ref.ts';
import { changeWith } from '../../plan/changes.ts';

export const stack = 'shop';

export function ref(id: string): Ref {
  const [kind = '', first = '', second] = id.split('/');
  const known = kind as Kind; // Ids in tests are written by hand.
  return second === undefined ? { kind: known, name: first } : { kind: known, name: second, gvc: first };
}

export function body(document: JsonObject): Body {
  return new Body(document, document);
}

/** The two tags of a record of this stack. */
export function tags(id: string, version = 1): JsonObject {
  return { 'gantry/stack': stack, 'gantry/applied': `1;l${id};v${version}` };
}

export function following(...ids: readonly string[]): { readonly requires: readonly Edge[] } {
  return { requires: ids.map((on) => ({ on, because: 'it refers to it', soft: false })) };
}

export function softlyAfter(...ids: readonly string[]): { readonly requires: readonly Edge[] } {
  return { requires: ids.map((on) => ({ on, because: 'it refers to it', soft: true })) };
}

type Parts = Partial<UncheckedChange>;

export function change(id: string, fields: Parts & Pick<UncheckedChange, 'action'>): Change {
  const { kind, name, gvc } = ref(id);
  const address = { id, ref: ref(id), kind, name, ...(gvc === undefined ? {} : { gvc }) };
  return changeWith({ ...address, reason: 'for the test', ...fields });
}

export function creating(id: string, fields: Parts = {}, record: JsonObject = {}): Change {
  const document = { name: ref(id).name, description: 'made', tags: tags(id), ...record };
  return change(id, { action: 'create', create: body(document), expected: body(document), ...fields });
}

/** A patch of a live record: `patch` is merged, and the result must be `expected`. */
export function patching(live: LiveResource, patch: JsonObject, fields: Parts = {}): Change {
  const written = { tags: tags(live.id, live.version + 1), ...patch };
  return change(formatRef(live.ref), {
    action: 'patch',
    patch: body({ ...written, id: live.uid, version: live.version }),
    expected: body(written),
    liveUid: live.uid,
    liveVersion: live.version,
    ...fields,
  });
}

export function deleting(live: LiveResource, fields: Parts = {}): Change {
  return change(live.id, { action: 'delete', liveUid: live.uid, liveVersion: live.version, ...fields });
}

export function plan(...changes: readonly Change[]): Plan {
  return {
    formatVersion: 1,
    org: 'acme',
    stack,
    changes,
    refusals: [],
    notes: [],
    requests: { snapshot: 0, apply: 0 },
  };
}
