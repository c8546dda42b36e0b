import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import { attributeDrift } from '../../../src/change/attributeDrift.ts';
import type { DriftRecord } from '../../../src/change/drift.ts';
import { type DriftInput, findDrift, trailOf } from '../../../src/change/findDrift.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { declare, hash, live, org, owner, partTag, snapshot } from '../../plan/world.ts';

interface World {
  readonly desired?: readonly DesiredResource[];
  readonly scope?: DriftInput['scope'];
  readonly from: readonly LiveResource[];
  readonly parts?: Partial<Snapshot>;
}

const find = ({ desired, scope = 'whole', from, parts }: World) =>
  findDrift({ desired, scope, snapshot: snapshot(from, parts), owner, hash });

const drift = (world: World, writes?: readonly WriteEvent[]): readonly DriftRecord[] =>
  find(world).flatMap((finding) => attributeDrift(finding, writes, { org, owner, hash }) ?? []);

const write = (action: WriteEvent['action'], { record, version }: LiveResource): WriteEvent => ({
  ...{ version, at: `2026-01-0${version}`, action, writer: { name: 'ana', type: 'user' }, record },
});

const group = (version: number, fields: JsonObject = {}) =>
  live('group/x', fields, { version, applied: { version: 1, tagKeys: [] } });

describe('what the trail says', () => {
  const touched = { id: 'group/x', state: 'touched', part: false, orphaned: false, version: 2, recordedVersion: 1 };

  test('of one write: all of it, and nothing of secrets where the kind has none', () => {
    const after = group(2, { description: 'b', tags: { a: '1' } });
    const fields = [
      { path: 'description', old: 'x', new: 'b' },
      { path: 'tags.a', new: '1' },
    ];
    const writes = [write('edit', after), write('create', group(1))];
    expect(drift({ from: [after] }, writes)).toStrictEqual([
      {
        ...touched,
        fields,
        writes: [{ action: 'edit', version: 2, at: '2026-01-02', by: { name: 'ana', type: 'user' }, fields }],
        secretsUnknown: false,
      },
    ]);
  });

  test('is asked of the record where it is there, and was written by others', () => {
    expect(find({ from: [group(2)] }).map(trailOf)).toEqual(['record']);
  });

  test('counts no write after the live version, and no command or deletion', () => {
    const late = write('edit', group(3, { description: 'c' }));
    const writes = [
      late,
      write('exec', group(2)),
      write('edit', group(2)),
      write('delete', group(2)),
      write('create', group(1)),
    ];
    const [record] = drift({ from: [group(2)] }, writes);
    expect(record?.writes?.map(({ version, action }) => [version, action])).toEqual([[2, 'edit']]);
  });

  test('shows fields by path, in whatever order the platform stores them', () => {
    const after = { ...group(2), record: { memberLinks: ['//user/a'], ...group(2).record, description: 'z' } };
    const [record] = drift({ from: [after] }, [write('edit', after), write('create', group(1))]);
    expect(record?.fields?.map(({ path }) => path)).toEqual(['description', 'memberLinks']);
  });

  test('without a trail: what is known of the record, and that its secrets may be others', () => {
    const secret = live('secret/s', { type: 'opaque' }, { version: 2, applied: { version: 1 } });
    expect(drift({ from: [secret] })).toStrictEqual([
      { ...touched, id: 'secret/s', writes: null, fields: null, secretsUnknown: true },
    ]);
  });

  test('shows no value that the manifest calls sensitive', () => {
    const after = group(2, { description: 'CANARY-b' });
    const writes = [write('edit', after), write('create', group(1, { description: 'CANARY-a' }))];
    const desired = [declare('group/x', {}, { sensitive: ['description'] })];
    const [record] = drift({ desired, from: [after] }, writes);
    expect(record?.fields).toMatchObject([{ path: 'description', new: { sensitive: true } }]);
    expect(JSON.stringify(record)).not.toContain('CANARY');
  });

  test('shows no text that repeats a value which was live at a place that the manifest calls sensitive', () => {
    const written = (version: number, value: string) =>
      group(version, { description: value, tags: { copy: `of ${value}` } });
    const after = written(2, 'CANARY-after');
    const writes = [write('edit', after), write('create', written(1, 'CANARY-before'))];
    const [record] = drift(
      { desired: [declare('group/x', {}, { sensitive: ['description'] })], from: [after] },
      writes,
    );
    expect(record?.fields?.map(({ path }) => path)).toEqual(['description', 'tags.copy']);
    expect(JSON.stringify(record)).not.toContain('CANARY');
  });
});

describe('what is declared', () => {
  const gone = { id: 'group/x', part: false, orphaned: false, fields: [], secretsUnknown: false };
  const desired = [declare('group/x')];

  test('and hidden from this token is said to be hidden', () => {
    const world: World = { desired, from: [], parts: { hidden: new Map([['group/x', 'view']]) } };
    expect(drift(world)).toStrictEqual([{ ...gone, state: 'hidden', writes: [] }]);
  });

  test('and was deleted says by whom; a command on it since does not matter', () => {
    const writes = [write('exec', group(3)), write('delete', group(2)), write('create', group(1))];
    const by = { name: 'ana', type: 'user' };
    expect(drift({ desired, from: [] }, writes)).toStrictEqual([
      {
        ...{ ...gone, state: 'deleted', recordedVersion: 2 },
        writes: [{ action: 'delete', version: 2, at: '2026-01-02', by, fields: [] }],
      },
    ]);
  });

  test('as a part of what is not there is no drift of this stack', () => {
    expect(find({ desired: [declare('domain/a.b', {}, { part: true })], from: [] })).toEqual([]);
  });

  test('and is a copy of what others have is no drift of this stack', () => {
    const copy = live('group/x', {}, { owner: 'bank', applied: { link: '/org/o/group/other' } });
    expect(find({ desired, from: [copy] })).toEqual([]);
  });
});

test('where versions jump, the last write of this stack is the one that left the mark', () => {
  const marked = { version: 1, servicePaths: ['x'] };
  const last = live('group/x', { description: 'd8' }, { version: 8, applied: marked });
  const earlier = live('group/x', { description: 'd1' }, { version: 1, applied: { version: 1 } });
  const found = drift({ from: [last] }, [write('edit', last), write('create', earlier)]);
  expect(found).toMatchObject([{ state: 'untouched' }]);
});

test('a last write that the trail shows with other content than the record has does not make it untouched', () => {
  const ours = live('group/x', { description: 'a' }, { version: 1, applied: { version: 2 } });
  const now = live('group/x', { description: 'theirs' }, { version: 1, applied: { version: 2 } });
  const parts = { capabilities: new Capabilities() };
  expect(drift({ from: [now], parts }, [write('create', ours)])).toMatchObject([{ state: 'touched' }]);
});

describe('a version below that of our last write', () => {
  const record = live('group/x', {}, { version: 1, applied: { version: 2 } });
  const states = (capabilities?: Capabilities) =>
    find({ from: [record], ...(capabilities && { parts: { capabilities } }) }).map(({ state }) => state);

  test('shows that the record was created again where versions rise by one', () => {
    expect(states(new Capabilities([['version.plus-one', 'holds']]))).toEqual(['recreated']);
  });

  test('shows nothing where that is not known, or not so', () => {
    expect(states(new Capabilities())).toEqual(['touched']);
    expect(states(new Capabilities([['version.plus-one', 'otherwise']]))).toEqual(['touched']);
  });
});

test('a record that has the version of our last write may be another one where versions do not rise', () => {
  const capabilities = new Capabilities([['version.rises', 'otherwise']]);
  expect(find({ from: [group(1)] }).map(({ state }) => state)).toEqual(['untouched']);
  expect(find({ from: [group(1)], parts: { capabilities } }).map(({ state }) => state)).toEqual(['touched']);
});

describe('a part', () => {
  const mine = [['spec', 'ports', '80']];
  const recordOf = (version: number) =>
    partTag(owner, { kind: 'domain', name: 'a.b' }, mine, { version })[`gantry/applied.${owner}`] ?? '';
  const domain = (version: number, tag = recordOf(1), number = 80): LiveResource =>
    live(
      'domain/a.b',
      { spec: { ports: [{ number }] }, tags: { [`gantry/applied.${owner}`]: tag } },
      { version, owner: 'bank' },
    );
  const part = [declare('domain/a.b', {}, { part: true })];

  test('that has the version of our last write is untouched, and its trail is not asked', () => {
    const world: World = { desired: part, from: [domain(1)] };
    expect(find(world).map(trailOf)).toEqual([undefined]);
    expect(drift(world)).toMatchObject([{ part: true, orphaned: false, state: 'untouched', recordedVersion: 1 }]);
  });

  test.each<{ it: string; world: World; orphaned: boolean }>([
    { it: 'declared', world: { desired: part, from: [domain(1)] }, orphaned: false },
    { it: 'declared by nobody', world: { desired: [], from: [domain(1)] }, orphaned: true },
    {
      it: 'not among the manifests that were read',
      world: { desired: [], scope: 'partial', from: [domain(1)] },
      orphaned: false,
    },
    { it: 'of a stack whose manifests were not read', world: { from: [domain(1)] }, orphaned: false },
  ])('$it is orphaned: $orphaned', ({ world, orphaned }) => {
    expect(find(world).map((finding) => finding.orphaned)).toEqual([orphaned]);
  });

  test('is none where its record cannot be read, or is not there', () => {
    expect(find({ desired: part, from: [domain(1, 'broken')] })).toEqual([]);
    expect(find({ desired: part, from: [live('domain/a.b', {}, { owner: 'bank' })] })).toEqual([]);
  });

  test('whose last write the trail does not have was touched, nobody knows how', () => {
    expect(drift({ desired: part, from: [domain(2)] }, [write('edit', domain(2))])).toMatchObject([
      { part: true, state: 'touched', fields: null },
    ]);
  });
});
