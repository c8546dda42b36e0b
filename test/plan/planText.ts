import { expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, objectAt } from '../../src/base/json/json.ts';
import type { LiveResource, Snapshot } from '../../src/manifest/live/snapshot.ts';
import type { DesiredResource, Lifecycle } from '../../src/manifest/model/manifest.ts';
import type { Change, Edge } from '../../src/plan/model/change.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../src/plan/model/planOptions.ts';
import { declare, type LiveOptions, live, plan, snapshot, volumeset, volumesetSpec, workload } from './world.ts';

/**
 * Plans as text in and text out.
 *
 * - Resources are separated by `; `. Each is an id and words of the tables below: `workload/g/web image(a:2) reads(s)`.
 *   Live resources of a GVC are also its content. A resource with `unlisted` is only in the content.
 * - A plan consists of changes in order, separated by `; `: `delete secret/s after gvc/g then, workload/g/web ready`.
 *   Edges that the text omits (`after`; `then-after` of the second step; `gone-after` of the deletion of a replacement)
 *   are not compared; `after nothing` is, and so are `via`, `cascades-to`, `loses-data-of` and, last, `noting` with all
 *   notes, separated by ` | `. `~` before an id means that the edge is soft.
 * - Refusals are always compared: `refuse delete gvc/g refused delete.data`, `plan refused delete.too-many`.
 *   `plan leaving` (the changes that the selection leaves out, or nothing) and `plan noting` (the notes of the plan) are
 *   compared if the text contains them.
 * - A leading `… ` allows other changes and any order.
 */
export type PlanRow = readonly [
  title: string,
  declared: string,
  live: string,
  plan: string,
  options?: Partial<PlanOptions>,
];

interface Draft {
  record: JsonObject;
  lifecycle: Lifecycle;
  live: LiveOptions;
  unlisted: boolean;
}

/** Merges objects recursively; `null` removes a member. */
function merged(a: JsonObject, b: JsonObject): JsonObject {
  const both = Object.entries(b).map(([key, value]): [string, JsonValue] => {
    const before = a[key];
    return [key, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return Object.fromEntries(
    Object.entries({ ...a, ...Object.fromEntries(both) }).filter(([, value]) => value !== null),
  );
}

const spec = (fields: JsonObject): JsonObject => ({ spec: fields });
const link = (id: string): string => {
  const [kind, first, second] = id.split('/');
  return second === undefined ? `//${id}` : `//gvc/${first}/${kind}/${second}`;
};
const inGvc = (kind: string, name: string): string => (name.includes('/') ? link(name) : `//gvc/g/${kind}/${name}`);
const container = (more: JsonObject): JsonObject => ({ container: more });

/** The fields of a record, by word. */
// biome-ignore format: a row is a word
const fields: Readonly<Record<string, (...given: readonly string[]) => JsonObject>> = {
  text: (description = '') => ({ description }),
  tag: (key = '', value = '1') => ({ tags: { [key]: value } }),
  type: (type = '') => spec({ type }),
  image: (image = '') => container({ image }),
  serving: (number = '') => container({ ports: [{ number: Number(number) }] }),
  reads: (...names) =>
    container({ env: names.map((name) => ({ name: name.toUpperCase(), value: `scheme://secret/${name}` })) }),
  mounts: (...names) =>
    container({ volumes: names.map((name) => ({ uri: `scheme://volumeset/${name}`, path: `/${name}` })) }),
  identity: (name = '') => spec({ identityLink: inGvc('identity', name) }),
  calls: (...names) => {
    const inboundAllowWorkload = names.map((name) => inGvc('workload', name));
    return spec({ firewallConfig: { internal: { inboundAllowType: 'workload-list', inboundAllowWorkload } } });
  },
  suspended: () => spec({ defaultOptions: { suspend: true } }),
  routes: (...names) => {
    const prefix = (name: string) => (names.length === 1 ? '/' : `/${name}`);
    const routes = names.map((name) => ({ prefix: prefix(name), workloadLink: inGvc('workload', name) }));
    return spec({ ports: [{ number: 443, routes }] });
  },
  serves: (name = '') => spec({ workloadLink: inGvc('workload', name) }),
  mode: (dnsMode = '') => spec({ dnsMode }),
  of: (id = '') => spec({ gvcLink: link(id) }),
  pulls: (...names) => spec({ pullSecretLinks: names.map((name) => `/org/o/secret/${name}`) }),
  keda: (name) => {
    const identityLink = name === undefined ? {} : { identityLink: `/org/o/gvc/g/identity/${name}` };
    return spec({ keda: { enabled: true, ...identityLink } });
  },
  places: (...names) => spec({ staticPlacement: { locationLinks: names.map((name) => `//location/${name}`) } }),
  options: (location = '') => spec({ localOptions: [{ location, autoscaling: { maxScale: 2 } }] }),
  aims: (targetKind = '') => ({ targetKind, targetLinks: [], bindings: [] }),
  alias: (name = '') => spec({ aliasWorkloadLink: inGvc('workload', name) }),
  ipSet: (name = '') => spec({ loadBalancer: { dedicated: true, ipSet: `//ipset/${name}` } }),
  link: (id = '') => spec({ link: link(id) }),
  docker: () => ({ type: 'docker', data: '{"auths":{"r":{}}}' }),
  ecr: () => ({ type: 'ecr', data: { accessKey: 'A', secretKey: 'x', repos: ['r'] } }),
  userpass: () => ({ type: 'userpass', data: { username: 'u', password: 'p' } }),
  targets: (...ids) => ({ targetKind: ids[0]?.split('/')[0] ?? '', targetLinks: ids.map(link), bindings: [] }),
  lets: (permission = '', secret = '', identity = '') => ({ targetKind: 'secret',
    ...(secret === '*' ? { target: 'all' } : { targetLinks: [`//secret/${secret}`] }),
    bindings: [{ permissions: [permission], principalLinks: [inGvc('identity', identity)] }] }),
  members: (...ids) => ({ memberLinks: ids.map(link) }),
  account: (name = '') => ({ aws: { cloudAccountLink: `/org/o/cloudaccount/${name}`, roleName: 'r' } }),
  aws: () => ({ provider: 'aws', data: { roleArn: 'arn' } }),
  gcp: () => ({ provider: 'gcp', data: { projectId: 'p' } }),
  builtIn: () => ({ origin: 'builtin' }),
  sharedAlone: () => spec({ fileSystemType: 'shared', performanceClass: null }),
  shared: () => spec({ fileSystemType: 'shared', performanceClass: 'shared' }),
  fast: () => spec({ performanceClass: 'high-throughput-ssd', initialCapacity: 200 }),
  volumes: (count = '') => ({ status: volumeset(Number(count))['status'] ?? {} }),
  unknown: () => ({ status: null }),
  protected: () => ({ tags: { 'scheme/protected': 'true' } }),
};

/** The lifecycle of a declared resource, by word. */
const lifecycles: Readonly<Record<string, (...given: readonly string[]) => Lifecycle>> = {
  previously: (name = '') => ({ previously: name }),
  dependsOn: (...ids) => ({ dependsOn: ids }),
  ignore: (...paths) => ({ ignore: paths }),
  replace: () => ({ replace: true }),
  adopt: () => ({ adopt: true }),
  retain: () => ({ retain: true }),
  part: () => ({ part: true }),
  handOver: (stack = '') => ({ handOver: stack }),
  wait: () => ({ wait: true }),
  noWait: () => ({ wait: false }),
};

/** The owner of a live record, by word. */
const owners: Readonly<Record<string, (...given: readonly string[]) => LiveOptions>> = {
  by: (stack = '') => ({ owner: stack }),
  foreign: () => ({ owner: null, applied: null }),
  retained: () => ({ applied: { retain: true } }),
  unmarked: () => ({ applied: null }),
  copied: () => ({ applied: { link: '/org/o/group/origin' } }),
};

function read(text: string, isLive: boolean): readonly (Draft & { readonly id: string })[] {
  return text.split('; ').flatMap((each) => {
    const [id = '', ...words] = each.trim().split(' ');
    if (id === '') return [];
    const draft: Draft = { record: plain(id, isLive), lifecycle: {}, live: {}, unlisted: false };
    for (const word of words) apply(draft, word);
    return [{ ...draft, id }];
  });
}

/** The fields that the kind requires. */
function plain(id: string, isLive: boolean): JsonObject {
  if (id.startsWith('workload/')) return workload('a:1');
  if (id.startsWith('volumeset/')) return isLive ? volumeset(0) : volumesetSpec();
  return id.startsWith('secret/') ? { type: 'opaque', data: { payload: 'x' } } : {};
}

function apply(draft: Draft, word: string): void {
  const [, name = '', list] = /^([A-Za-z]+)(?:\((.*)\))?$/.exec(word) ?? [];
  const given = list === undefined || list === '' ? [] : list.split(',');
  const [field, lifecycle, owner] = [fields[name], lifecycles[name], owners[name]];
  if (name === 'unlisted') draft.unlisted = true;
  else if (field !== undefined) draft.record = withFields(draft.record, field(...given));
  else if (lifecycle !== undefined) draft.lifecycle = { ...draft.lifecycle, ...lifecycle(...given) };
  else if (owner !== undefined) draft.live = { ...draft.live, ...owner(...given) };
  else throw new Error(`"${word}" is no word of a plan case`);
}

function withFields(record: JsonObject, { container: more, ...rest }: JsonObject): JsonObject {
  if (!isObject(more)) return 'data' in rest ? { ...record, ...rest } : merged(record, rest);
  const of = objectAt(record, 'spec');
  const first = Array.isArray(of['containers']) ? of['containers'][0] : undefined;
  return { ...record, spec: { ...of, containers: [{ ...(isObject(first) ? first : {}), ...more }] } };
}

export function declared(text: string): readonly DesiredResource[] {
  return read(text, false).map(({ id, record, lifecycle }) => declare(id, record, lifecycle));
}

/** The live resources and the content of each GVC. */
export function held(text: string, parts: Partial<Snapshot> = {}): Snapshot {
  const all = read(text, true).map(({ id, record, live: of, unlisted }) => ({ unlisted, each: live(id, record, of) }));
  const children = Map.groupBy(all, ({ each }) => each.ref.gvc ?? '');
  const gvcs = all.filter(({ each }) => each.ref.kind === 'gvc').map(({ each }) => each.ref.name);
  const closures = gvcs.map(
    (gvc) => [gvc, { known: true, children: (children.get(gvc) ?? []).map(({ each }) => each) }] as const,
  );
  const listed: readonly LiveResource[] = all.filter(({ unlisted }) => !unlisted).map(({ each }) => each);
  return snapshot(listed, { closures: new Map(closures), ...parts });
}

const edges = {
  after: ({ requires }: Change) => requires,
  'then-after': ({ thenRequires = [] }: Change) => thenRequires,
  'gone-after': ({ deleteRequires = [] }: Change) => deleteRequires,
} as const;
const lists = {
  via: ({ via }: Change) => (via === undefined ? [] : [via]),
  'cascades-to': ({ cascadesTo = [] }: Change) => cascadesTo,
  'loses-data-of': ({ losesData = [] }: Change) => losesData,
} as const;
const isIn = <T extends object>(word: string, table: T): word is Extract<keyof T, string> => word in table;

function awaited(found: readonly Edge[], expected: readonly string[]): readonly string[] {
  const texts = found.map(({ on, step, ready, soft }) =>
    [soft ? `~${on}` : on, ...(step === undefined ? [] : [step]), ...(ready === true ? ['ready'] : [])].join(' '),
  );
  const place = (text: string): number => (expected.includes(text) ? expected.indexOf(text) : expected.length);
  return texts.sort((x, y) => place(x) - place(y));
}

function sentence(change: Change, whole: string): string {
  const [expected = '', noting] = whole.split(' noting ');
  const asked = expected.split(/ (?=(?:after|then-after|gone-after|via|cascades-to|loses-data-of|refused) )/).slice(1);
  const parts = asked.flatMap((section) => {
    const [word = ''] = section.split(' ');
    const wanted = section.slice(word.length + 1).split(', ');
    const found = isIn(word, edges)
      ? awaited(edges[word](change), wanted)
      : isIn(word, lists)
        ? lists[word](change)
        : undefined;
    return found === undefined ? [] : [` ${word} ${found.length === 0 ? 'nothing' : found.join(', ')}`];
  });
  const codes = change.refusals.map(({ code }) => code);
  const action = change.action === 'refuse' ? `refuse ${change.intended}` : change.action;
  const notes = noting === undefined ? '' : ` noting ${change.notes.join(' | ') || 'nothing'}`;
  return `${action} ${change.id}${parts.join('')}${codes.length === 0 ? '' : ` refused ${codes.join(' ')}`}${notes}`;
}

const idIn = (text: string): string =>
  text.startsWith('plan ') ? '' : (text.split(' ').find((word) => word.includes('/')) ?? '');

/** A plan as text, with the parts that the expected text contains. */
export function describePlan(made: Plan, expected: string): string {
  const some = expected.startsWith('… ');
  const statements = expected
    .slice(some ? 2 : 0)
    .split('; ')
    .filter((text) => text !== '' && text !== 'nothing');
  const of = (id: string) => statements.find((text) => idIn(text) === id);
  const named = statements.flatMap((text) => made.changes.filter(({ id }) => id === idIn(text)));
  const unnamed = made.changes.filter(({ id, refusals }) => of(id) === undefined && refusals.length > 0);
  const changes = some ? [...named, ...unnamed] : made.changes.filter(({ id, action }) => action !== 'keep' || of(id));
  const whole = made.refusals.map(({ code }) => code);
  const leftOut = made.leftOut?.map(({ action, id }) => `${action} ${id}`) ?? [];
  const wholly = (word: string, found: readonly string[], separator: string) =>
    statements.some((text) => text.startsWith(`plan ${word} `))
      ? [`plan ${word} ${found.join(separator) || 'nothing'}`]
      : [];
  const texts = [
    ...changes.map((each) => sentence(each, of(each.id) ?? '')),
    ...(whole.length === 0 ? [] : [`plan refused ${whole.join(' ')}`]),
    ...wholly('leaving', leftOut, ', '),
    ...wholly('noting', made.notes, ' | '),
  ];
  return `${some ? '… ' : ''}${texts.length === 0 ? 'nothing' : texts.join('; ')}`;
}

export function expectPlan(desired: string, from: string, expected: string, options: Partial<PlanOptions> = {}): void {
  expect(describePlan(plan(declared(desired), held(from), options), expected)).toBe(expected);
}

/** One test for each row. */
export function testPlans(rows: readonly PlanRow[]): void {
  for (const [title, ...row] of rows) test(title, () => expectPlan(...row));
}
