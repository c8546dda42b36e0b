import type { JsonObject } from '../../base/json/json.ts';
import type { Related } from '../../kinds/registry.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';

interface Member {
  readonly id: ResourceId;
  readonly ref: Ref;
  readonly record: JsonObject;
}

/** The declared set, as rules over several resources see it. Undeclared resources may be live: `unknown`. */
export function relatedSet(members: readonly Member[]): Related {
  const byId = new Map(members.map(({ id, record }) => [id, record]));
  const byKind = Map.groupBy(members, ({ ref }) => ref.kind);
  const byGvc = Map.groupBy(members, ({ ref }) => `${ref.kind}/${ref.gvc}`);
  return {
    get: (ref: Ref) => byId.get(formatRef(ref)) ?? 'unknown',
    list: (kind: Kind, gvc?: string) => (gvc === undefined ? byKind.get(kind) : byGvc.get(`${kind}/${gvc}`)) ?? [],
  };
}
