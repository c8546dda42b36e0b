import type { JsonObject } from '../../schema/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { Related } from '../../schema/rules/registry.ts';

interface Member {
  readonly id: ResourceId;
  readonly ref: Ref;
  readonly record: JsonObject;
}

function add(groups: Map<string, Member[]>, group: string, member: Member): void {
  const list = groups.get(group);
  if (list === undefined) groups.set(group, [member]);
  else list.push(member);
}

/** The declared set, as rules over several resources see it. Undeclared resources may be live: `unknown`. */
export function relatedSet(members: readonly Member[]): Related {
  const byId = new Map<ResourceId, JsonObject>();
  const byKind = new Map<string, Member[]>();
  for (const member of members) {
    byId.set(member.id, member.record);
    const { kind, gvc } = member.ref;
    add(byKind, kind, member);
    if (gvc !== undefined) add(byKind, `${kind}/${gvc}`, member);
  }
  return {
    get: (ref: Ref) => byId.get(formatRef(ref)) ?? 'unknown',
    list: (kind: Kind, gvc?: string) => byKind.get(gvc === undefined ? kind : `${kind}/${gvc}`) ?? [],
  };
}
