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

describe('the trail of a record', () => {
  const touched = { id: 'group/x', state: 'touched', part: false, orphaned: false, version: 2, recordedVersion: 1 };

  test('with one write: all fields, and nothing about secrets for a kind without any', () => {
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

  test('is requested for an existing record that others wrote', () => {
    expect(find({ from: [group(2)] }).map(trailOf)).toEqual(['record']);
  });

  test('does not count writes after the live version, commands and deletions', () => {
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

  test('lists fields by path, in any stored order', () => {
    const after = { ...group(2), record: { memberLinks: ['//user/a'], ...group(2).record, description: 'z' } };
    const [record] = drift({ from: [after] }, [write('edit', after), write('create', group(1))]);
    expect(record?.fields?.map(({ path }) => path)).toEqual(['description', 'memberLinks']);
  });

  test('if missing: the known facts about the record, and that its secrets may differ', () => {
    const secret = live('secret/s', { type: 'opaque' }, { version: 2, applied: { version: 1 } });
    expect(drift({ from: [secret] })).toStrictEqual([
      { ...touched, id: 'secret/s', writes: null, fields: null, secretsUnknown: true },
    ]);
  });

  test('hides values that the manifest marks as sensitive', () => {
    const after = group(2, { description: 'CANARY-b' });
    const writes = [write('edit', after), write('create', group(1, { description: 'CANARY-a' }))];
    const desired = [declare('group/x', {}, { sensitive: ['description'] })];
    const [record] = drift({ desired, from: [after] }, writes);
    expect(record?.fields).toMatchObject([{ path: 'description', new: { sensitive: true } }]);
    expect(JSON.stringify(record)).not.toContain('CANARY');
  });

  test('hides texts that contain an earlier live value of a field marked as sensitive', () => {
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

describe('a declared resource', () => {
  const gone = { id: 'group/x', part: false, orphaned: false, fields: [], secretsUnknown: false };
  const desired = [declare('group/x')];

  test('that is hidden from this token is reported as hidden', () => {
    const world: World = { desired, from: [], parts: { hidden: new Map([['group/x', 'view']]) } };
    expect(drift(world)).toStrictEqual([{ ...gone, state: 'hidden', writes: [] }]);
  });

  test('that was deleted names the writer; a later command has no effect', () => {
    const writes = [write('exec', group(3)), write('delete', group(2)), write('create', group(1))];
    const by = { name: 'ana', type: 'user' };
    expect(drift({ desired, from: [] }, writes)).toStrictEqual([
      {
        ...{ ...gone, state: 'deleted', recordedVersion: 2 },
        writes: [{ action: 'delete', version: 2, at: '2026-01-02', by, fields: [] }],
      },
    ]);
  });

  test('that is a part of a missing record is no drift of this stack', () => {
    expect(find({ desired: [declare('domain/a.b', {}, { part: true })], from: [] })).toEqual([]);
  });

  test('that is a copy of a record of others is no drift of this stack', () => {
    const copy = live('group/x', {}, { owner: 'bank', applied: { link: '/org/o/group/other' } });
    expect(find({ desired, from: [copy] })).toEqual([]);
  });
});

describe('if versions jump, the last write of this stack', () => {
  const at = (version: number, mark: number, description = `d${version}`) =>
    live('group/x', { description }, { version, applied: { version: mark, servicePaths: mark === 1 ? [] : ['x'] } });
  const made = at(1, 1);
  const changed = [at(15, 9), at(8, 2), made];
  // An undo leaves an earlier mark again, and so does a write that corrects the one of the undo.
  const undone = [at(36, 2), at(29, 23), at(22, 2), ...changed];
  const theirs = expect.objectContaining({ version: 15 });

  test.each<{ it: string; records: readonly LiveResource[]; found: Partial<DriftRecord> }>([
    {
      it: 'is the one that left the mark, not an earlier one at the version in it',
      records: [live('group/x', {}, { version: 8, applied: { version: 1, servicePaths: ['x'] } }), made],
      found: { state: 'untouched' },
    },
    {
      it: 'is the first one of those with its mark',
      records: [at(15, 2), at(8, 2), made],
      found: { state: 'touched', recordedVersion: 8, writes: [theirs] },
    },
    { it: 'is the undo, if an earlier write has left the same mark', records: undone, found: { state: 'untouched' } },
    {
      it: 'is not known if a write has kept the mark of an undo',
      records: [at(43, 2), ...undone],
      found: { fields: null },
    },
  ])('$it', ({ records, found }) => {
    const [now = made] = records;
    const writes = records.map((each) => write(each === made ? 'create' : 'edit', each));
    expect(drift({ from: [now] }, writes)).toMatchObject([found]);
  });
});

test('a last write whose content in the trail differs from the record does not make it untouched', () => {
  const ours = live('group/x', { description: 'a' }, { version: 1, applied: { version: 2 } });
  const now = live('group/x', { description: 'theirs' }, { version: 1, applied: { version: 2 } });
  const parts = { capabilities: new Capabilities() };
  expect(drift({ from: [now], parts }, [write('create', ours)])).toMatchObject([{ state: 'touched' }]);
});

describe('a version below that of our last write', () => {
  const record = live('group/x', {}, { version: 1, applied: { version: 2 } });
  const states = (capabilities?: Capabilities) =>
    find({ from: [record], ...(capabilities && { parts: { capabilities } }) }).map(({ state }) => state);

  test('proves that the record was created again if versions rise by one', () => {
    expect(states(new Capabilities([['version.plus-one', 'holds']]))).toEqual(['recreated']);
  });

  test('proves nothing if that is unknown or false', () => {
    expect(states(new Capabilities())).toEqual(['touched']);
    expect(states(new Capabilities([['version.plus-one', 'otherwise']]))).toEqual(['touched']);
  });
});

test('the version of our last write may belong to another record if versions do not rise', () => {
  const capabilities = new Capabilities([['version.rises', 'otherwise']]);
  expect(find({ from: [group(1)] }).map(({ state }) => state)).toEqual(['untouched']);
  expect(find({ from: [group(1)], parts: { capabilities } }).map(({ state }) => state)).toEqual(['touched']);
});

describe('a part of a resource', () => {
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

  test('at the version of our last write is untouched, without reading its trail', () => {
    const world: World = { desired: part, from: [domain(1)] };
    expect(find(world).map(trailOf)).toEqual([undefined]);
    expect(drift(world)).toMatchObject([{ part: true, orphaned: false, state: 'untouched', recordedVersion: 1 }]);
  });

  test.each<{ it: string; world: World; orphaned: boolean }>([
    { it: 'declared', world: { desired: part, from: [domain(1)] }, orphaned: false },
    { it: 'undeclared', world: { desired: [], from: [domain(1)] }, orphaned: true },
    {
      it: 'not among the manifests that were read',
      world: { desired: [], scope: 'partial', from: [domain(1)] },
      orphaned: false,
    },
    { it: 'of a stack whose manifests were not read', world: { from: [domain(1)] }, orphaned: false },
  ])('that is $it is orphaned: $orphaned', ({ world, orphaned }) => {
    expect(find(world).map((finding) => finding.orphaned)).toEqual([orphaned]);
  });

  test('does not exist if its record is unreadable or missing', () => {
    expect(find({ desired: part, from: [domain(1, 'broken')] })).toEqual([]);
    expect(find({ desired: part, from: [live('domain/a.b', {}, { owner: 'bank' })] })).toEqual([]);
  });

  test('whose last write is not in the trail was touched in an unknown way', () => {
    expect(drift({ desired: part, from: [domain(2)] }, [write('edit', domain(2))])).toMatchObject([
      { part: true, state: 'touched', fields: null },
    ]);
  });
});
