import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import { attributeDrift } from '../../../src/change/attributeDrift.ts';
import { driftSchema, driftToJson } from '../../../src/change/documents/driftDocument.ts';
import { type DriftRecord, isDrifted } from '../../../src/change/drift.ts';
import { type Finding, findDrift, trailOf } from '../../../src/change/findDrift.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { linkOf } from '../../../src/schema/record/ref.ts';
import { declare, foreign, hash, live, org, owner, partTag, snapshot } from '../../plan/world.ts';

interface World {
  /** Undefined if no manifests were read. */
  readonly desired?: readonly DesiredResource[];
  readonly scope?: 'whole' | 'partial';
  readonly from: readonly LiveResource[];
  readonly capabilities?: Capabilities;
}

function find({ desired, scope = 'whole', from, capabilities }: World): readonly Finding[] {
  return findDrift({
    desired,
    scope,
    snapshot: { ...snapshot(from), ...(capabilities === undefined ? {} : { capabilities }) },
    owner,
    hash,
  });
}

/** Each finding, completed from the same trail. */
function drift(world: World, writes: readonly WriteEvent[] | undefined): readonly DriftRecord[] {
  return find(world).flatMap((finding) => attributeDrift(finding, writes, { org, owner, hash }) ?? []);
}

/**
 * Each finding as lines: its state, its version and the recorded one, and `path: old > new` of each present difference;
 * then the same for each later write.
 */
function told(world: World, writes: readonly WriteEvent[] | undefined): readonly string[] {
  return drift(world, writes).flatMap(({ state, part, version, recordedVersion, fields, writes: later }) => [
    `${part ? 'part ' : ''}${state} ${version} of ${recordedVersion}${differences(fields)}`,
    ...(later ?? []).map((each) => `${each.version} ${each.action} by ${each.by.name}${differences(each.fields)}`),
  ]);
}

function differences(fields: DriftRecord['fields']): string {
  const shown = (value: unknown) => (typeof value === 'string' ? value : value === undefined ? '' : '…');
  return fields?.map(({ path, old, new: now }) => `; ${path}: ${shown(old)} > ${shown(now)}`).join('') ?? '; unknown';
}

function write(
  by: string,
  action: WriteEvent['action'],
  { record, version }: Pick<LiveResource, 'record' | 'version'>,
): WriteEvent {
  return { version, at: `2026-01-0${version}`, action, writer: { name: by, type: 'user' }, record };
}

/** A GVC with this description at a version; `v` is the version in our applied record. */
function gvc(
  description: string,
  version: number,
  v: number,
  of: { readonly owner?: string | null } = {},
): LiveResource {
  return live('gvc/g', { description }, { version, applied: { version: v }, ...of });
}

const declared = [declare('gvc/g', { description: 'ours' })];

describe('an own record', () => {
  test('is untouched at the version that this stack wrote, without reading the trail', () => {
    const from = [gvc('ours', 4, 4)];
    expect(find({ desired: declared, from }).map(trailOf)).toEqual([undefined]);
    const none = { part: false, orphaned: false, writes: [], fields: [], secretsUnknown: false };
    const untouched = { id: 'gvc/g', state: 'untouched', version: 4, recordedVersion: 4, ...none };
    expect(drift({ desired: declared, from }, undefined)).toEqual([untouched]);
  });

  test('is touched if others wrote it: with each write and all current differences', () => {
    const writes = [
      write('carl', 'edit', gvc('c', 5, 3)),
      write('bob', 'edit', gvc('b', 4, 3)),
      write('us', 'edit', gvc('ours', 3, 3)),
      write('us', 'create', gvc('first', 1, 1)),
    ];
    const world = { desired: declared, from: [gvc('c', 5, 3)] };
    expect(told(world, writes)).toEqual([
      'touched 5 of 3; description: ours > c',
      '5 edit by carl; description: b > c',
      '4 edit by bob; description: ours > b',
    ]);
    expect(drift(world, writes)[0]?.writes?.[0]).toMatchObject({ at: '2026-01-05', by: { type: 'user' } });
  });

  test('lists who gained and lost access', () => {
    const target = { targetKind: 'secret', targetLinks: ['//secret/db'] };
    const binding = (user: string) => ({ permissions: ['reveal'], principalLinks: [`//user/${user}`] });
    const policy = (user: string, version: number) =>
      live('policy/p', { ...target, bindings: [binding(user)] }, { version, applied: { version: 1 } });
    const entry = (change: 'gained' | 'lost', user: string) => ({
      ...{ change, principal: `user/${user}`, permission: 'reveal', target: 'secret/db' },
    });
    const desired = [declare('policy/p')];
    const writes = [write('eve', 'edit', policy('eve', 2)), write('us', 'create', policy('ana', 1))];
    const [touched] = drift({ desired, from: [policy('eve', 2)] }, writes);
    expect(touched?.access).toEqual([entry('gained', 'eve'), entry('lost', 'ana')]);
    const [deleted] = drift({ desired, from: [] }, [write('eve', 'delete', policy('ana', 1))]);
    expect(deleted).toMatchObject({ state: 'deleted', access: [entry('lost', 'ana')] });
    const [unread] = drift({ desired, from: [policy('eve', 2)] }, undefined);
    expect(unread).not.toHaveProperty('access');
    const records = touched === undefined ? [] : [touched];
    const document = driftToJson({ org, stack: owner, declarationsKnown: true, records, requests: 1 });
    expect(document['resources']).toMatchObject([{ access: [entry('gained', 'eve'), entry('lost', 'ana')] }]);
  });

  test('is touched even without a current difference, if a change was reverted', () => {
    const writes = [
      write('bob', 'edit', gvc('ours', 3, 1)),
      write('bob', 'edit', gvc('b', 2, 1)),
      write('us', 'create', gvc('ours', 1, 1)),
    ];
    expect(told({ desired: declared, from: [gvc('ours', 3, 1)] }, writes)).toEqual([
      'touched 3 of 1',
      '3 edit by bob; description: b > ours',
      '2 edit by bob; description: ours > b',
    ]);
  });

  test('is touched by an unknown writer if the trail lacks a version', () => {
    const writes = [write('bob', 'edit', gvc('b', 3, 1)), write('us', 'create', gvc('ours', 1, 1))];
    const found = told({ desired: declared, from: [gvc('b', 3, 1)] }, writes);
    expect(found).toEqual(['touched 3 of 1; description: ours > b', '3 edit by bob']);
  });

  test('was created again if its version is lower than the one that this stack wrote', () => {
    const writes = [write('eve', 'create', gvc('e', 1, 4))];
    const found = told({ desired: declared, from: [gvc('e', 1, 4)] }, writes);
    expect(found).toEqual(['recreated 1 of 4; unknown', '1 create by eve']);
  });

  test('is orphaned if all manifests were read and none declares it; changed code is drift too', () => {
    const from = [gvc('ours', 1, 1)];
    const states = (world: World) => drift(world, undefined).map(({ state, orphaned }) => [state, orphaned]);
    expect(states({ desired: [], from })).toEqual([['untouched', true]]);
    expect(states({ desired: [], scope: 'partial', from })).toEqual([['untouched', false]]);
    expect(states({ from })).toEqual([['untouched', false]]);
    expect(drift({ desired: [], from }, undefined).map(isDrifted)).toEqual([true]);
  });
});

describe('the owner of a record', () => {
  test('owner-lost, if the owner tag was removed: with the writer', () => {
    const erased = gvc('ours', 2, 1, { owner: null });
    const writes = [write('eve', 'edit', erased), write('us', 'create', gvc('ours', 1, 1))];
    expect(told({ desired: declared, from: [erased] }, writes)).toEqual([
      `owner-lost 2 of 1; tags."gantry/stack": ${owner} > `,
      `2 edit by eve; tags."gantry/stack": ${owner} > `,
    ]);
  });

  test.each([
    { it: 'without an owner so far', from: [gvc('ours', 2, 1, { owner: null })], found: [] },
    { it: 'owned by the other stack', from: [gvc('theirs', 3, 3, { owner: 'bank' })], found: [] },
    { it: 'deleted by the other stack', from: [], found: [] },
    { it: 'owned by a third stack', from: [gvc('theirs', 3, 3, { owner: 'mint' })], found: ['other-owner'] },
    { it: 'still owned by this stack', from: [gvc('ours', 1, 1)], found: ['untouched'] },
  ])('a resource that is handed over as declared has no finding: $it', ({ from, found }) => {
    const desired = [declare('gvc/g', {}, { handOver: 'bank' })];
    const writes = [write('us', 'edit', gvc('ours', 2, 1, { owner: null })), write('us', 'create', gvc('ours', 1, 1))];
    expect(drift({ desired, from }, writes).map(({ state }) => state)).toEqual(found);
  });

  test('owner-lost, if both tags were removed and the trail contains them; otherwise it was never ours', () => {
    const bare = { ...foreign('gvc/g', { description: 'ours' }), version: 2 };
    const writes = [write('eve', 'edit', bare), write('us', 'create', gvc('ours', 1, 1))];
    const world = { desired: declared, from: [bare] };
    expect(drift(world, writes)).toMatchObject([{ state: 'owner-lost', recordedVersion: 1 }]);
    for (const others of [[write('eve', 'create', bare)], undefined]) expect(drift(world, others)).toEqual([]);
  });

  test('another stack since then', () => {
    const taken = gvc('theirs', 2, 2, { owner: 'bank' });
    const writes = [write('bank', 'edit', taken), write('us', 'create', gvc('ours', 1, 1))];
    expect(drift({ desired: declared, from: [taken] }, writes)).toMatchObject([
      { state: 'other-owner', owner: 'bank', recordedVersion: 1, writes: [{ by: { name: 'bank' } }] },
    ]);
  });

  test('without its applied record, which another client removed', () => {
    const bare = live('gvc/g', { description: 'ours' }, { version: 2, applied: null });
    const writes = [write('eve', 'edit', bare), write('us', 'create', gvc('ours', 1, 1))];
    expect(drift({ desired: declared, from: [bare] }, writes)).toMatchObject([
      { state: 'unrecorded', writes: [{ by: { name: 'eve' }, fields: [{ path: 'tags."gantry/applied"' }] }] },
    ]);
  });

  test('a copy contains our tags for another resource; it is never orphaned', () => {
    const copy = live('gvc/copy', {}, { applied: { link: linkOf({ kind: 'gvc', name: 'g' }, org) } });
    expect(drift({ desired: [], from: [copy] }, [write('eve', 'create', copy)])).toMatchObject([
      { id: 'gvc/copy', state: 'copy', orphaned: false, writes: [{ action: 'create', by: { name: 'eve' } }] },
    ]);
  });
});

describe('a declared missing resource', () => {
  test('was deleted, if the last event in the trail is the deletion of our record', () => {
    const writes = [write('eve', 'delete', gvc('ours', 3, 3)), write('us', 'create', gvc('ours', 1, 1))];
    expect(find({ desired: declared, from: [] }).map(trailOf)).toEqual(['name']);
    expect(drift({ desired: declared, from: [] }, writes)).toMatchObject([
      { state: 'deleted', recordedVersion: 3, writes: [{ action: 'delete', by: { name: 'eve' } }] },
    ]);
  });

  test('is otherwise no drift: it is new, belonged to others, or nothing is known', () => {
    const theirs = write('bank', 'delete', gvc('x', 3, 3, { owner: 'bank' }));
    for (const writes of [[], undefined, [theirs]]) expect(drift({ desired: declared, from: [] }, writes)).toEqual([]);
  });
});

describe('a part of a record of others', () => {
  const route = (prefix: string, name: string): JsonObject => ({ prefix, workloadLink: `//gvc/g/workload/${name}` });
  const ref = { kind: 'domain', name: 'example.com' } as const;
  const mine = [['spec', 'ports', '443', 'routes', '/api']];
  const spec = (routes: readonly JsonObject[]) => ({ ports: [{ number: 443, routes }] });
  const domain = (version: number, ...routes: readonly JsonObject[]): LiveResource =>
    live('domain/example.com', { spec: spec(routes), tags: partTag(owner, ref, mine) }, { version, owner: 'bank' });
  const [shop, other] = [route('/', 'shop'), route('/api', 'other')];
  const ours = route('/api', 'api');
  const desired = [declare('domain/example.com', { spec: spec([ours]) }, { part: true })];
  const item = 'spec.ports.443.routes."/api"';
  const link = (old: string, now: string) =>
    `; ${item}.workloadLink: //gvc/g/workload/${old} > //gvc/g/workload/${now}`;
  const removed = `; ${item}.prefix: /api > ; ${item}.workloadLink: //gvc/g/workload/api > `;

  // biome-ignore format: one row each
  test.each<[string, readonly [now: LiveResource, ...before: readonly LiveResource[]], string[]]>([
    ['is untouched by changes of others to their fields', [domain(2, ours, shop)], ['part untouched 2 of 1']],
    ['is touched if one of our items was changed', [domain(2, other, shop)],
      [`part touched 2 of 1${link('api', 'other')}`, `2 edit by bank${link('api', 'other')}`]],
    ['is touched if one of our items was removed', [domain(2, shop)],
      [`part touched 2 of 1${removed}`, `2 edit by bank${removed}`]],
    ['is touched if our item was changed and restored', [domain(3, ours), domain(2, other)],
      ['part touched 3 of 1', `3 edit by bank${link('other', 'api')}`, `2 edit by bank${link('api', 'other')}`]],
  ])('%s', (_, trail, is) => {
    const writes = trail.map((record) => write('bank', 'edit', record));
    expect(told({ desired, from: [trail[0]] }, [...writes, write('us', 'edit', domain(1, ours))])).toEqual(is);
  });

  test('is touched by a write that the trail lacks', () => {
    const found = told({ desired, from: [domain(2, other)] }, [write('us', 'edit', domain(1, ours))]);
    expect(found).toEqual([`part touched 2 of 1${link('api', 'other')}`]);
  });

  test('is no drift for the owner of the record; other changes are', () => {
    const whole = (version: number, routes: readonly JsonObject[], tags: JsonObject): LiveResource =>
      live('domain/example.com', { spec: spec(routes), tags }, { version, applied: { version: 1, tagKeys: [] } });
    const record = partTag('api', ref, mine, { version: 2 });
    const [before, after] = [whole(1, [shop], {}), whole(2, [shop, ours], record)];
    const writes = [write('api', 'edit', after), write('us', 'create', before)];
    expect(told({ from: [after] }, writes)).toEqual(['untouched 2 of 1']);

    const worse = whole(3, [route('/', 'other'), ours], record);
    const changed = 'spec.ports.443.routes."/".workloadLink: //gvc/g/workload/shop > //gvc/g/workload/other';
    expect(told({ from: [worse] }, [write('eve', 'edit', worse), ...writes])).toEqual([
      `touched 3 of 1; ${changed}`,
      `3 edit by eve; ${changed}`,
    ]);
    // The part and its tag are removed.
    const gone = whole(3, [shop], {});
    expect(drift({ from: [gone] }, [write('api', 'edit', gone), ...writes])).toMatchObject([{ state: 'untouched' }]);
  });
});

describe('version.rises: a platform on which every write of a record has the same version', () => {
  const create = write('us', 'create', gvc('first', 1, 1));
  const capabilities = new Capabilities([['version.rises', 'otherwise']]);
  const world = { desired: declared, from: [gvc('ours', 1, 2)], capabilities };

  test('of two writes with the same mark it is unknown which is ours, and nothing is compared', () => {
    const writes = [write('us', 'edit', gvc('ours', 1, 2)), write('us', 'edit', gvc('before', 1, 2)), create];
    expect(drift(world, writes)).toMatchObject([{ state: 'touched', fields: null }]);
  });

  test('a single write with this mark is ours', () => {
    const writes = [write('us', 'edit', gvc('ours', 1, 2)), create];
    expect(drift(world, writes)).toMatchObject([{ state: 'untouched' }]);
  });
});

describe('the schema requires the count of each state, and no other', () => {
  const valid = new Ajv2020({ strict: false }).compile(driftSchema);
  const json = driftToJson({ org, stack: owner, declarationsKnown: true, records: [], requests: 0 });
  const summary = objectAt(json, 'summary');
  const { orphaned, ...without } = summary;

  test.each([
    { it: 'all counts', counted: summary, is: true },
    { it: 'a missing count', counted: without, is: false },
    { it: 'an unknown state', counted: { ...summary, renamed: 0 }, is: false },
  ])('$it', ({ counted, is }) => {
    expect(orphaned).toBe(0);
    expect(valid({ ...json, summary: counted })).toBe(is);
  });
});

test('findings are listed by id, for any order of input', () => {
  const from = ['b', 'a', 'c'].map((name) => live(`group/${name}`));
  const ids = find({ desired: [declare('group/ab')], from }).map(({ id }) => id);
  expect(ids).toEqual(['group/a', 'group/ab', 'group/b', 'group/c']);
});
