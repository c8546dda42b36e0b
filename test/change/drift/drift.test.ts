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
    expect(drift({ desired: declared, from }, undefined)).toEqual([
      {
        id: 'gvc/g',
        state: 'untouched',
        part: false,
        orphaned: false,
        version: 4,
        recordedVersion: 4,
        writes: [],
        fields: [],
        secretsUnknown: false,
      },
    ]);
  });

  test('is touched if others wrote it: with each write and all current differences', () => {
    const writes = [
      write('carl', 'edit', gvc('c', 5, 3)),
      write('bob', 'edit', gvc('b', 4, 3)),
      write('us', 'edit', gvc('ours', 3, 3)),
      write('us', 'create', gvc('first', 1, 1)),
    ];
    const [record] = drift({ desired: declared, from: [gvc('c', 5, 3)] }, writes);
    expect(record).toMatchObject({
      state: 'touched',
      version: 5,
      recordedVersion: 3,
      fields: [{ path: 'description', old: 'ours', new: 'c' }],
    });
    expect(record?.writes).toEqual([
      {
        action: 'edit',
        version: 5,
        at: '2026-01-05',
        by: { name: 'carl', type: 'user' },
        fields: [{ path: 'description', old: 'b', new: 'c' }],
      },
      {
        action: 'edit',
        version: 4,
        at: '2026-01-04',
        by: { name: 'bob', type: 'user' },
        fields: [{ path: 'description', old: 'ours', new: 'b' }],
      },
    ]);
  });

  test('lists who gained and lost access', () => {
    const policy = (user: string, version: number) =>
      live(
        'policy/p',
        {
          ...{ targetKind: 'secret', targetLinks: ['//secret/db'] },
          bindings: [{ permissions: ['reveal'], principalLinks: [`//user/${user}`] }],
        },
        { version, applied: { version: 1 } },
      );
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
    const document = driftToJson({
      org,
      stack: owner,
      declarationsKnown: true,
      records: touched === undefined ? [] : [touched],
      requests: 1,
    });
    expect(document['resources']).toMatchObject([{ access: [entry('gained', 'eve'), entry('lost', 'ana')] }]);
  });

  test('is touched even without a current difference, if a change was reverted', () => {
    const writes = [
      write('bob', 'edit', gvc('ours', 3, 1)),
      write('bob', 'edit', gvc('b', 2, 1)),
      write('us', 'create', gvc('ours', 1, 1)),
    ];
    const [record] = drift({ desired: declared, from: [gvc('ours', 3, 1)] }, writes);
    expect([record?.state, record?.fields, record?.writes?.length]).toEqual(['touched', [], 2]);
  });

  test('is touched by an unknown writer if the trail lacks a version', () => {
    const writes = [write('bob', 'edit', gvc('b', 3, 1)), write('us', 'create', gvc('ours', 1, 1))];
    const [record] = drift({ desired: declared, from: [gvc('b', 3, 1)] }, writes);
    expect(record?.fields).toEqual([{ path: 'description', old: 'ours', new: 'b' }]);
    expect(record?.writes).toMatchObject([{ version: 3, by: { name: 'bob' }, fields: [] }]);
  });

  test('was created again if its version is lower than the one that this stack wrote', () => {
    const writes = [write('eve', 'create', gvc('e', 1, 4))];
    const [record] = drift({ desired: declared, from: [gvc('e', 1, 4)] }, writes);
    expect(record).toMatchObject({ state: 'recreated', writes: [{ action: 'create', by: { name: 'eve' } }] });
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
    expect(drift({ desired: declared, from: [erased] }, writes)).toMatchObject([
      {
        state: 'owner-lost',
        recordedVersion: 1,
        writes: [{ by: { name: 'eve' }, fields: [{ path: 'tags."gantry/stack"', old: owner }] }],
      },
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
    expect(drift({ desired: declared, from: [bare] }, writes)).toMatchObject([
      { state: 'owner-lost', recordedVersion: 1 },
    ]);
    expect(drift({ desired: declared, from: [bare] }, [write('eve', 'create', bare)])).toEqual([]);
    expect(drift({ desired: declared, from: [bare] }, undefined)).toEqual([]);
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
  const domain = (version: number, routes: readonly JsonObject[]): LiveResource =>
    live(
      'domain/example.com',
      { spec: { ports: [{ number: 443, routes }] }, tags: partTag(owner, ref, mine) },
      { version, owner: 'bank' },
    );
  const ours = route('/api', 'api');
  const desired = [
    declare('domain/example.com', { spec: { ports: [{ number: 443, routes: [ours] }] } }, { part: true }),
  ];

  test('is untouched by changes of others to their fields', () => {
    const from = [domain(2, [ours, route('/', 'shop')])];
    const writes = [
      write('bank', 'edit', domain(2, [ours, route('/', 'shop')])),
      write('us', 'edit', domain(1, [ours])),
    ];
    expect(drift({ desired, from }, writes)).toMatchObject([
      { part: true, state: 'untouched', fields: [], writes: [] },
    ]);
  });

  test('is touched if one of our items was changed or removed', () => {
    const changed = domain(2, [route('/api', 'other'), route('/', 'shop')]);
    const writes = [write('bank', 'edit', changed), write('us', 'edit', domain(1, [ours]))];
    expect(drift({ desired, from: [changed] }, writes)).toMatchObject([
      {
        part: true,
        state: 'touched',
        fields: [{ path: 'spec.ports.443.routes."/api".workloadLink' }],
        writes: [{ by: { name: 'bank' } }],
      },
    ]);
    const gone = domain(2, [route('/', 'shop')]);
    const taken = [write('bank', 'edit', gone), write('us', 'edit', domain(1, [ours]))];
    expect(drift({ desired, from: [gone] }, taken)[0]?.fields?.map(({ path }) => path)).toEqual([
      'spec.ports.443.routes."/api".prefix',
      'spec.ports.443.routes."/api".workloadLink',
    ]);
  });

  test('is touched if our item was changed and restored, or by a write that the trail lacks', () => {
    const changed = write('bank', 'edit', domain(2, [route('/api', 'other')]));
    const before = write('us', 'edit', domain(1, [ours]));
    const back = domain(3, [ours]);
    expect(drift({ desired, from: [back] }, [write('bank', 'edit', back), changed, before])).toMatchObject([
      { state: 'touched', fields: [], writes: [{ version: 3 }, { version: 2 }] },
    ]);
    expect(drift({ desired, from: [domain(2, [route('/api', 'other')])] }, [before])).toMatchObject([
      { state: 'touched', writes: [], fields: [{ path: 'spec.ports.443.routes."/api".workloadLink' }] },
    ]);
  });

  test('is no drift for the owner of the record; other changes are', () => {
    const whole = (version: number, routes: readonly JsonObject[], tags: JsonObject): LiveResource =>
      live(
        'domain/example.com',
        { spec: { ports: [{ number: 443, routes }] }, tags },
        { version, applied: { version: 1, tagKeys: [] } },
      );
    const theirs = route('/api', 'api');
    const record = partTag('api', ref, mine, { version: 2 });
    const [before, after] = [whole(1, [route('/', 'shop')], {}), whole(2, [route('/', 'shop'), theirs], record)];
    const writes = [write('api', 'edit', after), write('us', 'create', before)];
    expect(drift({ from: [after] }, writes)).toMatchObject([
      { part: false, state: 'untouched', fields: [], writes: [] },
    ]);

    const worse = whole(3, [route('/', 'other'), theirs], record);
    expect(drift({ from: [worse] }, [write('eve', 'edit', worse), ...writes])).toMatchObject([
      {
        state: 'touched',
        fields: [{ path: 'spec.ports.443.routes."/".workloadLink' }],
        writes: [{ version: 3, by: { name: 'eve' } }],
      },
    ]);
    // The part and its tag are removed.
    const gone = whole(3, [route('/', 'shop')], {});
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
  expect(find({ desired: [declare('group/ab')], from }).map(({ id }) => id)).toEqual([
    'group/a',
    'group/ab',
    'group/b',
    'group/c',
  ]);
});
