import { type JsonObject, objectAt, own, sameJson } from '../../../base/json/json.ts';
import { hasPermission } from '../../../kinds/kindFacts.ts';
import { references } from '../../../kinds/shape/references.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { formatRef, type RecordContext, type Ref } from '../../../schema/record/ref.ts';
import { namedDomain } from '../../../schema/shape/namedDomain.ts';

/** A write of one record, in normal form. `before` is absent for a new record. */
export interface Becoming {
  readonly kind: Kind;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
  readonly context: RecordContext;
}

/** Does the write set, change or remove the load balancer, which needs more than `edit` (platform/errors.statuses)? */
export function changesLoadBalancer({ kind, before, after }: Becoming): boolean {
  if (!hasPermission(kind, 'configureLoadBalancer')) return false;
  return !sameJson(own(objectAt(before ?? {}, 'spec'), 'loadBalancer'), own(objectAt(after, 'spec'), 'loadBalancer'));
}

/** Kinds that refer to records without using them. */
const speakingKinds: ReadonlySet<Kind> = new Set<Kind>(['group', 'policy']);

/** The new references of a record that need the permission `use` (platform/access.needs). */
export function newlyUsed({ kind, before, after, context }: Becoming): readonly Ref[] {
  if (speakingKinds.has(kind)) return [];
  const known = new Set(before === undefined ? [] : uses(kind, before, context).map(formatRef));
  const added = uses(kind, after, context).filter((ref) => !known.has(formatRef(ref)));
  return [...new Map(added.map((ref) => [formatRef(ref), ref])).values()];
}

function uses(kind: Kind, record: JsonObject, context: RecordContext): readonly Ref[] {
  const linked = references(kind, record, context)
    .filter(({ org }) => org === context.org)
    .map(({ target }) => target)
    .filter((target) => hasPermission(target.kind, 'use'));
  return [...linked, ...namedDomain(kind, record)];
}
