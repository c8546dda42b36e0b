import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { attributeDrift } from '../../../src/change/attributeDrift.ts';
import { findDrift, withoutLeftAlone } from '../../../src/change/findDrift.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { WriteEvent } from '../../../src/manifest/live/writer.ts';
import type { Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { makeReplan } from '../../../src/plan/replan.ts';
import { declare, hash, live, options, org, owner, snapshot } from '../../plan/world.ts';

interface Case {
  readonly id?: string;
  readonly declared: JsonObject;
  readonly lifecycle?: Lifecycle;
  /** The record that this stack wrote, and the later one of others. */
  readonly wrote: JsonObject;
  readonly now: JsonObject;
}

function settled({ id = 'workload/g/web', declared, lifecycle, wrote, now }: Case, trail: 'read' | 'unread' = 'read') {
  const desired = [declare(id, declared, lifecycle)];
  const before = live(id, wrote, { version: 1, applied: { version: 1 } });
  const tagKeys = Object.keys(objectAt(wrote, 'tags'));
  const after = live(id, now, { version: 2, applied: { version: 1, tagKeys } });
  const event = (action: WriteEvent['action'], { version, record }: LiveResource): WriteEvent => {
    return { action, version, record, at: `2026-01-0${version}`, writer: { name: 'ana', type: 'user' } };
  };
  const state = snapshot([after]);
  const [finding] = findDrift({ desired, scope: 'whole', snapshot: state, owner, hash });
  const writes = trail === 'read' ? [event('edit', after), event('create', before)] : undefined;
  const record = finding && attributeDrift(finding, writes, { org, owner, hash });
  const found = record && withoutLeftAlone(record, makeReplan(desired, state, options)(id, after));
  const paths = (key: 'fields' | 'leftAlone') => found?.[key]?.map(({ path }) => path);
  return { state: found?.state, fields: paths('fields'), leftAlone: paths('leftAlone') };
}

const containers = [{ name: 'main', image: 'a', cpu: '50m', memory: '128Mi' }];
const web = (spec: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
  spec: { type: 'standard', containers, ...spec },
  ...rest,
});

describe('a change of others that no apply reverts is listed apart', () => {
  test.each<Case & { readonly it: string; readonly paths: readonly string[] }>(
    // biome-ignore format: a row is a case
    [
      { it: 'a field under lifecycle.ignore', declared: web(), lifecycle: { ignore: ['spec.containers.main.image'] },
        wrote: web(), now: web({ containers: [{ ...containers[0], image: 'b' }] }),
        paths: ['spec.containers.main.image'] },
      { it: 'a tag of others', declared: web({}, { tags: { ours: '1' } }),
        wrote: web({}, { tags: { ours: '1' } }), now: web({}, { tags: { ours: '1', theirs: '2' } }),
        paths: ['tags.theirs'] },
      { it: 'an operational switch', declared: web(), wrote: web(), now: web({ defaultOptions: { suspend: true } }),
        paths: ['spec.defaultOptions.suspend'] },
      { it: 'a value that the code now declares', declared: web({ containers: [{ ...containers[0], image: 'b' }] }),
        wrote: web(), now: web({ containers: [{ ...containers[0], image: 'b' }] }),
        paths: ['spec.containers.main.image'] },
    ],
  )('$it', ({ paths, ...given }) => {
    expect(settled(given)).toEqual({ state: 'left-alone', fields: [], leftAlone: paths });
  });

  test('even if the trail does not contain the former value', () => {
    const given = { declared: web(), wrote: web(), now: web({}, { tags: { theirs: '2' } }) };
    expect(settled(given, 'unread')).toEqual({ state: 'left-alone', fields: undefined, leftAlone: [] });
  });
});

describe('a change that an apply reverts is drift', () => {
  test('and others in the same record are listed apart', () => {
    const given = {
      declared: web({}, { description: 'ours' }),
      wrote: web({}, { description: 'ours' }),
      now: web({}, { description: 'theirs', tags: { theirs: '2' } }),
    };
    expect(settled(given)).toEqual({ state: 'touched', fields: ['description'], leftAlone: ['tags.theirs'] });
  });

  test('even if the trail does not contain the former value', () => {
    const given = { declared: web(), wrote: web(), now: web({ defaultOptions: { timeoutSeconds: 30 } }) };
    expect(settled(given, 'unread')).toMatchObject({ state: 'touched' });
  });

  test('but a change of the code beside a write of others is not', () => {
    const given = {
      declared: web({}, { description: 'new in the code' }),
      wrote: web({}, { description: 'old' }),
      now: web({}, { description: 'old', tags: { theirs: '2' } }),
    };
    expect(settled(given)).toEqual({ state: 'left-alone', fields: [], leftAlone: ['tags.theirs'] });
  });

  test('and so is a differing secret value, without an entry in the trail', () => {
    const secret = (payload: string, rest: JsonObject = {}): JsonObject => {
      return { type: 'opaque', data: { payload, encoding: 'plain' }, ...rest };
    };
    const given = { id: 'secret/s', declared: secret('a'), wrote: secret('a') };
    expect(settled({ ...given, now: secret('b', { tags: { theirs: '2' } }) })).toMatchObject({ state: 'touched' });
    expect(settled({ ...given, now: secret('a', { tags: { theirs: '2' } }) })).toMatchObject({ state: 'left-alone' });
  });
});

describe('version.plus-one: a newer version that does not prove a write', () => {
  const id = 'workload/g/web';
  const mark = (version: number) => live(id, web(), { version, applied: { version: 2 } });
  const written = (action: WriteEvent['action'], { version, record }: LiveResource): WriteEvent => {
    return { action, version, record, at: '2026-01-01', writer: { name: 'ci', type: 'user' } };
  };
  const finding = (now: LiveResource) => {
    const desired = [declare(id, web())];
    const [found] = findDrift({ desired, scope: 'whole', snapshot: snapshot([now]), owner, hash });
    if (found === undefined) throw new Error('nothing was found');
    return found;
  };

  test('the audit trail shows that the first write with our mark is the last of all', () => {
    const created = live(id, web(), { version: 1, applied: { version: 1 } });
    const trail = [written('edit', mark(11)), written('create', created)];
    expect(attributeDrift(finding(mark(11)), trail, { org, owner, hash })).toMatchObject({ state: 'untouched' });
  });

  test('a later write that keeps our mark is distinguished from ours', () => {
    const later = live(id, web({ loadBalancer: {} }), { version: 21, applied: { version: 2 } });
    const trail = [
      written('edit', later),
      written('edit', mark(11)),
      written('create', live(id, web(), { version: 1 })),
    ];
    const record = attributeDrift(finding(later), trail, { org, owner, hash });
    expect(record).toMatchObject({ state: 'touched', recordedVersion: 11, writes: [{ version: 21 }] });
  });

  test('without a trail nothing is reported if an apply would change nothing', () => {
    const record = attributeDrift(finding(mark(11)), undefined, { org, owner, hash });
    if (record === undefined) throw new Error('nothing was found');
    expect(withoutLeftAlone(record, undefined, false)).toMatchObject({ state: 'risen', writes: [], fields: [] });
    expect(withoutLeftAlone(record, undefined)).toMatchObject({ state: 'left-alone' });
  });
});
