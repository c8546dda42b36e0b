import type { JsonObject } from '../schema/json.ts';
import type { Kind } from '../schema/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/ref.ts';
import type { Related } from '../schema/rules/registry.ts';

interface Member {
  readonly ref: Ref;
  readonly record: JsonObject;
}

/** The declared set, as rules over several resources see it. What it does not declare may still be live: `unknown`. */
export function relatedSet(members: readonly Member[]): Related {
  const byId = new Map<ResourceId, JsonObject>();
  const byKind = new Map<string, Member[]>();
  for (const member of members) {
    byId.set(formatRef(member.ref), member.record);
    for (const group of [member.ref.kind, `${member.ref.kind}/${member.ref.gvc ?? ''}`]) {
      const list = byKind.get(group);
      if (list === undefined) byKind.set(group, [member]);
      else list.push(member);
    }
  }
  return {
    get: (ref: Ref) => byId.get(formatRef(ref)) ?? 'unknown',
    list: (kind: Kind, gvc?: string) => byKind.get(gvc === undefined ? kind : `${kind}/${gvc}`) ?? [],
  };
}
