import { isArray, isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { isBlockWithin } from '../../kinds/equal.ts';
import { impliesPermission } from '../../kinds/impliedPermissions.ts';
import { grantsAccess, hasMembers, runs } from '../../kinds/kindFacts.ts';
import { wordsOf } from '../../kinds/kindWords.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { formatRef, parseLink, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { AccessChange } from '../model/change.ts';
import { type Draft, writes } from '../model/draft.ts';

/** The known records at one time. */
export interface Records {
  readonly recordOf: (id: ResourceId) => JsonObject | undefined;
  /** The grants of policies to the principal itself, not through groups. */
  readonly grantedTo: (principal: string) => readonly PolicyGrant[];
  /** The groups that have the principal as a member. */
  readonly groupsOf: (principal: string) => readonly ResourceId[];
}

/** A record before and after a change, and the records beside it. */
export interface Transition {
  readonly ref: Ref;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly records: { readonly before: Records; readonly after: Records };
}

/** Adds who gains and who loses which access. */
export function withAccess(draft: Draft, records: Transition['records']): Draft {
  const { ref, action, live } = draft;
  if (action === 'keep' || action === 'forget') return draft;
  const access = accessChanges({ ref, before: live?.record, after: recordAfter(draft), records });
  return access.length === 0 ? draft : { ...draft, access };
}

/** All known records before and after a plan. */
export function recordsAround(
  drafts: ReadonlyMap<ResourceId, Draft>,
  known: ReadonlyMap<ResourceId, LiveResource>,
): Transition['records'] {
  const before = recordsOf(new Map([...known].map(([id, { record }]) => [id, record])));
  const written = [...drafts].map(([id, draft]) => [id, recordAfter(draft)] as const);
  const after = recordsOf(new Map([...[...known].map(([id, { record }]) => [id, record] as const), ...written]));
  return { before, after };
}

/** The known records if nothing is planned: the same before and after. */
export function recordsNow(known: ReadonlyMap<ResourceId, LiveResource>): Transition['records'] {
  return recordsAround(new Map(), known);
}

function recordsOf(all: ReadonlyMap<ResourceId, JsonObject | undefined>): Records {
  const known = [...all].sort(([a], [b]) => compareText(a, b));
  const grantedTo = groupedOnce(function* () {
    for (const [policy, record] of known)
      if (policy.startsWith('policy/') && record)
        for (const grant of policyGrants(record)) yield [grant.principal, { ...grant, policy }];
  });
  const groupsOf = groupedOnce(function* () {
    for (const [group, record] of known)
      if (group.startsWith('group/')) for (const member of membersIn(record)) yield [member, group];
  });
  return { recordOf: (id) => all.get(id), grantedTo, groupsOf };
}

/** Most plans change no access, so the groups are computed on first use. */
function groupedOnce<Item>(entries: () => Iterable<[key: string, Item]>): (key: string) => readonly Item[] {
  let groups: ReadonlyMap<string, readonly Item[]> | undefined;
  return (key) => {
    groups ??= new Map(
      [...Map.groupBy(entries(), ([each]) => each)].map(([each, items]) => [each, items.map(([, item]) => item)]),
    );
    return groups.get(key) ?? [];
  };
}

/** Returns undefined if the record is deleted or unknown. */
function recordAfter(draft: Draft): JsonObject | undefined {
  if (draft.action === 'delete') return undefined;
  return writes(draft) ? (draft.result ?? draft.desired?.record) : draft.live?.record;
}

/** More targets than this are reported as one, which names the first of them. */
const mostTargets = 1_000;
const mostNamed = 5;

/** Who gains and who loses which access; a grant that something wider also gives is no change. */
export function accessChanges({ ref, before, after, records }: Transition): readonly AccessChange[] {
  // When a workload is deleted, the target of the access no longer exists.
  if (runs(ref.kind) && after === undefined) return [];
  const [old, next] = [grantsOf(ref, before, records.before), grantsOf(ref, after, records.after)];
  const [shut, open] = [blocksOf(ref, before), blocksOf(ref, after)];
  // For principals that stay in a group, the policies report the changes.
  const stay = new Set(allIn(before)).intersection(new Set(allIn(after)));
  const gain = { change: 'gained', id: formatRef(ref), own: records.after, other: records.before } as const;
  const loss = { change: 'lost', id: formatRef(ref), own: records.before, other: records.after } as const;
  return [
    ...beyond(next, old, gain),
    ...(before === undefined ? [] : beyond(inEffect(shut, next), open, gain)),
    ...beyond(old, next, loss),
    ...(before === undefined ? [] : beyond(inEffect(open, old), shut, loss)),
  ].filter(({ principal, through }) => through === undefined || !stay.has(principal));
}

function membersIn(group: JsonObject = {}): readonly string[] {
  return textsAt(group, 'memberLinks').map(nameOf);
}

/** The links of members, and descriptions of those selected by a query and a matcher (platform/group.members). */
function allIn(group: JsonObject = {}): readonly string[] {
  const query = own(group, 'memberQuery');
  const expression = stringAt(objectAt(group, 'identityMatcher'), 'expression');
  return compact([
    ...membersIn(group),
    isObject(query) ? `users where ${queryText(objectAt(query, 'spec'))}` : undefined,
    expression === undefined ? undefined : `identities that match ${expression}`,
  ]);
}

/** A permission of a principal, with its targets. */
interface Grant extends Pick<AccessChange, 'principal' | 'permission' | 'through'> {
  /** The kind of the targets; a permission has a meaning only together with it. */
  readonly kind: string;
  readonly targets: ReadonlySet<string>;
}
type Grants = ReadonlyMap<string, Grant>;

interface PolicyGrant extends Grant {
  readonly policy: ResourceId;
}

/** One side of a change: its own records, and those of the other side. */
interface Side {
  readonly change: AccessChange['change'];
  readonly id: ResourceId;
  readonly own: Records;
  readonly other: Records;
}

function grants(all: readonly Grant[]): Grants {
  const found = new Map<string, Grant>();
  for (const grant of all) {
    const key = JSON.stringify([grant.kind, grant.permission, grant.principal, grant.through]);
    const known = found.get(key);
    found.set(key, known === undefined ? grant : { ...grant, targets: known.targets.union(grant.targets) });
  }
  return found;
}

/** The grants of `all` that `others` lacks and that no wider grant covers. */
function beyond(all: Grants, others: Grants, side: Side): readonly AccessChange[] {
  const byPrincipal = Map.groupBy(others.values(), ({ principal }) => principal);
  const found = compact([...all], ([key, grant]) => {
    const targets = [...grant.targets.difference(others.get(key)?.targets ?? new Set())];
    if (targets.length === 0) return undefined;
    const same = grant.permission === 'inbound' ? [...others.values()] : (byPrincipal.get(grant.principal) ?? []);
    const wider = same.filter((wide) => isAtLeast(wide, grant));
    const left = targets.filter((target) => !wider.some((wide) => reaches(wide, target)));
    return left.length === 0 ? undefined : { grant, targets: left };
  });
  const count = found.reduce((sum, { targets }) => sum + targets.length, 0);
  return found.flatMap(({ grant, targets }) => {
    const { principal, permission, through } = grant;
    const members = through === undefined ? membersOf(principal, side.own) : undefined;
    const told = count > mostTargets ? [firstOf(targets, mostNamed)] : targets;
    return told.map((target) => {
      const also = alsoBy(grant, target, side);
      return {
        ...{ change: side.change, principal, permission, target },
        ...present({ through, also, members }),
      };
    });
  });
}

/**
 * Another policy that grants the same on the other side of the change, to the principal itself or through another
 * group.
 */
function alsoBy({ through, ...narrow }: Grant, target: string, { id, other }: Side): AccessChange['also'] {
  if (through === undefined && !id.startsWith('policy/')) return undefined;
  const groups = other.groupsOf(narrow.principal).filter((group) => group !== id && group !== through);
  for (const group of [undefined, ...groups]) {
    const found = other
      .grantedTo(group ?? narrow.principal)
      .find((each) => each.policy !== id && isAtLeast(each, narrow) && reaches(each, target));
    if (found !== undefined) return { policy: found.policy, ...present({ through: group }) };
  }
  return undefined;
}

/** Whether `wide` permits all of the other grant to all of its principals, for the same targets. */
function isAtLeast(wide: Grant, { kind, permission, principal, through }: Grant): boolean {
  if (permission === 'inbound') return isPartOf(principal, wide.principal);
  if (wide.kind !== kind || wide.through !== through) return false;
  return impliesPermission(kind, wide.permission, permission);
}

/** Whether one origin of traffic equals the other or is a part of it. */
function isPartOf(narrow: string, wide: string): boolean {
  if (narrow === wide || isBlockWithin(narrow, wide)) return true;
  const isWorkload = narrow.startsWith('workload/');
  if (wide === everyInOrg) return isWorkload || narrow.startsWith(everyIn(''));
  return isWorkload && wide === everyIn(narrow.split('/')[1] ?? '');
}

function reaches({ kind, permission, targets }: Grant, target: string): boolean {
  if (targets.has(target)) return true;
  switch (permission) {
    case 'inbound':
      // Without a port nothing is served yet, so any port is more.
      return [...targets].some((each) => each.startsWith(`${target}:`));
    case 'outbound':
      return [...targets].some((each) => isBlockWithin(target, each) || isNameIn(target, each));
    default:
      // The matches of a query are unknown, so it covers only itself.
      return targets.has(everyOf(kind));
  }
}

/** Whether `*` or `*.example.com` also matches the host name, on the same port. */
function isNameIn(name: string, pattern: string): boolean {
  if (isBlock(name)) return false;
  const [host = '', port] = name.split(':');
  const wildcards = ['*', `*${host.slice(host.indexOf('.'))}`];
  return wildcards.some((wildcard) => pattern === (port === undefined ? wildcard : `${wildcard}:${port}`));
}

function isBlock(text: string): boolean {
  return isBlockWithin(text, text);
}

/** The blocked traffic that would be allowed otherwise. */
function inEffect(blocks: Grants, allowed: Grants): Grants {
  const grants = [...allowed.values()];
  const meet = (one: string, other: string) => isBlockWithin(one, other) || isBlockWithin(other, one);
  return new Map(
    [...blocks].map(([key, block]) => {
      const open = grants.filter(({ permission }) => permission === block.permission);
      const isOpen =
        block.permission === 'inbound'
          ? () => open.some(({ principal }) => meet(principal, block.principal))
          : // The addresses of a host name are not known.
            (target: string) => open.some(({ targets }) => [...targets].some((to) => !isBlock(to) || meet(target, to)));
      return [key, { ...block, targets: new Set([...block.targets].filter(isOpen)) }];
    }),
  );
}

function membersOf(principal: string, { recordOf }: Records): AccessChange['members'] {
  const group = principal.startsWith('group/') ? recordOf(principal) : undefined;
  if (group === undefined) return undefined;
  const members = membersIn(group);
  const users = members.filter((member) => member.startsWith('user/')).length;
  const isMore = Object.hasOwn(group, 'memberQuery') || Object.hasOwn(group, 'identityMatcher');
  return { users, serviceAccounts: members.length - users, ...(isMore ? { more: true } : {}) };
}

function grantsOf(ref: Ref, record: JsonObject | undefined, records: Records): Grants {
  if (record === undefined) return new Map();
  if (grantsAccess(ref.kind)) return grants(policyGrants(record));
  if (hasMembers(ref.kind)) return grants(groupGrants(formatRef(ref), record, records));
  return runs(ref.kind) ? grants([...inboundGrants(ref, record), ...outboundGrants(ref, record)]) : new Map();
}

function policyGrants(policy: JsonObject): readonly Grant[] {
  const kind = stringAt(policy, 'targetKind') ?? '';
  const targets = new Set(targetsOf(policy, kind));
  return listAt(policy, 'bindings').flatMap((binding): readonly Grant[] => {
    if (!isObject(binding)) return [];
    const principals = textsAt(binding, 'principalLinks').map(nameOf);
    return textsAt(binding, 'permissions').flatMap((permission) =>
      principals.map((principal) => ({ kind, principal, permission, targets })),
    );
  });
}

/** All targets, links, and a query beside them (platform/policy.targets). */
function targetsOf(policy: JsonObject, kind: string): readonly string[] {
  if (stringAt(policy, 'target') === 'all') return [everyOf(kind)];
  const query = own(policy, 'targetQuery');
  return [
    ...textsAt(policy, 'targetLinks').map(nameOf),
    ...(isObject(query) ? [`${nounsOf(kind).plural} where ${queryText(objectAt(query, 'spec'))}`] : []),
  ];
}

function everyOf(kind: string): string {
  return `every ${nounsOf(kind).singular}`;
}

function nounsOf(name: string): { readonly singular: string; readonly plural: string } {
  const kind = kindNamed(name);
  return kind === undefined ? { singular: 'record', plural: 'records' } : wordsOf(kind);
}

const joints = new Map([
  ['any', ' or '],
  ['none', ' nor '],
]);

/** For example `tag team = web and name ~ shop`. */
function queryText(spec: JsonObject): string {
  const match = stringAt(spec, 'match') ?? 'all';
  const terms = listAt(spec, 'terms').flatMap((term) => {
    if (!isObject(term)) return [];
    const [tag, rel, property = 'id'] = [stringAt(term, 'tag'), stringAt(term, 'rel'), stringAt(term, 'property')];
    const subject = tag === undefined ? (rel ?? property) : `tag ${tag}`;
    const value = own(term, 'value');
    return [compact([subject, stringAt(term, 'op') ?? '=', value === undefined ? undefined : String(value)]).join(' ')];
  });
  if (terms.length === 0) return 'anything matches';
  return `${match === 'none' ? 'neither ' : ''}${terms.join(joints.get(match) ?? ' and ')}`;
}

/** Members inherit the grants of policies to their group. */
function groupGrants(id: ResourceId, group: JsonObject, { grantedTo }: Records): readonly Grant[] {
  const members = allIn(group);
  if (members.length === 0) return [];
  return members.flatMap((principal): readonly Grant[] => [
    { kind: 'group', principal, permission: 'member', targets: new Set([id]) },
    ...grantedTo(id).map((grant) => ({ ...grant, principal, through: id })),
  ]);
}

const everyInOrg = 'every workload in the org';

function everyIn(gvc: string): string {
  return `every workload in gvc/${gvc}`;
}

function inboundGrants(ref: Ref, workload: JsonObject): readonly Grant[] {
  const [target, firewall] = [formatRef(ref), firewallOf(workload)];
  const ports = endpointPorts(workload);
  const targets = new Set(ports.length === 0 ? [target] : ports.map((port) => `${target}:${port}`));
  const [external, internal] = [objectAt(firewall, 'external'), objectAt(firewall, 'internal')];
  const type = stringAt(internal, 'inboundAllowType') ?? 'none';
  return [
    ...textsAt(external, 'inboundAllowCIDR').map((principal) => inbound(principal, targets)),
    ...(type === 'same-gvc' && ref.gvc !== undefined ? [everyIn(ref.gvc)] : []).map(inside),
    ...(type === 'same-org' ? [everyInOrg] : []).map(inside),
    // The list has no effect for the other types (platform/workload.firewall).
    ...(type === 'same-gvc' || type === 'workload-list' ? textsAt(internal, 'inboundAllowWorkload') : []).map((link) =>
      inside(nameOf(link)),
    ),
  ];

  function inside(principal: string): Grant {
    return inbound(principal, new Set([target]));
  }
}

function inbound(principal: string, targets: ReadonlySet<string>): Grant {
  return { kind: 'workload', principal, permission: 'inbound', targets };
}

/** Where outside traffic arrives: the endpoint of a workload with a port, and its direct load balancer. */
function endpointPorts(workload: JsonObject): readonly number[] {
  const spec = objectAt(workload, 'spec');
  const serves = listAt(spec, 'containers').some(
    (container) => isObject(container) && (numberAt(container, 'port') ?? listAt(container, 'ports')[0]) !== undefined,
  );
  const direct = objectAt(objectAt(spec, 'loadBalancer'), 'direct');
  const external = own(direct, 'enabled') === true ? listAt(direct, 'ports') : [];
  const ports = external.flatMap((port) => (isObject(port) ? (numberAt(port, 'externalPort') ?? []) : []));
  return [...new Set([...(serves && stringAt(spec, 'type') !== 'cron' ? [443] : []), ...ports])];
}

function outboundGrants(ref: Ref, workload: JsonObject): readonly Grant[] {
  const external = objectAt(firewallOf(workload), 'external');
  const ports = listAt(external, 'outboundAllowPort').flatMap((port) =>
    isObject(port) ? [`:${numberAt(port, 'number')}/${stringAt(port, 'protocol') ?? 'tcp'}`] : [],
  );
  const hosts = textsAt(external, 'outboundAllowHostname').flatMap((host) =>
    ports.length === 0 ? [host] : ports.map((port) => `${host}${port}`),
  );
  return [outbound(ref, [...textsAt(external, 'outboundAllowCIDR'), ...hosts])];
}

function outbound(ref: Ref, targets: readonly string[]): Grant {
  return { kind: 'workload', principal: formatRef(ref), permission: 'outbound', targets: new Set(targets) };
}

/** Traffic that is blocked although it is allowed: the opposite of access. */
function blocksOf(ref: Ref, record: JsonObject | undefined): Grants {
  if (!runs(ref.kind) || record === undefined) return new Map();
  const external = objectAt(firewallOf(record), 'external');
  return grants([
    ...textsAt(external, 'inboundBlockedCIDR').map((principal) => inbound(principal, new Set([formatRef(ref)]))),
    outbound(ref, textsAt(external, 'outboundBlockedCIDR')),
  ]);
}

function firewallOf(workload: JsonObject): JsonObject {
  return objectAt(objectAt(workload, 'spec'), 'firewallConfig');
}

/** Normalises a link, whatever form it is written in. */
function nameOf(link: string): string {
  const parsed = parseLink(link, { org: '-' });
  return parsed === undefined ? link : formatRef(parsed.ref);
}

function textsAt(object: JsonObject, key: string): readonly string[] {
  const value = own(object, key);
  return isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
