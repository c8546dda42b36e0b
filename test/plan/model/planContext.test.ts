import { describe, expect, test } from 'vitest';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { makePlanContext } from '../../../src/plan/model/planContext.ts';
import { declare, live, options, snapshot, workload } from '../world.ts';

const contextOf = (desired: Parameters<typeof makePlanContext>[0], from: readonly LiveResource[] = []) =>
  makePlanContext(desired, snapshot(from), options);

test('declared resources are sorted by id, each once', () => {
  const [a, b, c] = [declare('group/a'), declare('group/b'), declare('group/c')];
  expect([...contextOf([c, a, b]).desired.keys()]).toEqual(['group/a', 'group/b', 'group/c']);
  expect(() => contextOf([a, b, declare('group/a')])).toThrow('makePlan needs every resource once');
});

test('references are only those to records of this org', () => {
  const links = ['//group/a', '/org/o/group/b', '/org/another/group/c'];
  const members = declare('policy/p', { targetKind: 'group', targetLinks: links, bindings: [] });
  const ids = contextOf([])
    .desiredReferences(members)
    .map(({ target }) => `${target.kind}/${target.name}`);
  expect(ids).toEqual(['group/a', 'group/b']);
  const there = live('policy/p', { targetKind: 'group', targetLinks: links, bindings: [] });
  expect(contextOf([]).liveReferences(there)).toHaveLength(2);
});

test('a record is kept by the records that it contains and by those that require it', () => {
  const shop = declare('gvc/shop');
  const robot = declare('identity/shop/robot');
  const web = declare('workload/shop/web', workload('web:1', [], { identityLink: '//identity/robot' }));
  const { desiredReferrers } = contextOf([web, shop, robot]);
  expect(desiredReferrers('gvc/shop')).toEqual([
    { id: 'identity/shop/robot', path: 'gvc' },
    { id: 'workload/shop/web', path: 'gvc' },
  ]);
  expect(desiredReferrers('identity/shop/robot')).toEqual([{ id: 'workload/shop/web', path: 'spec.identityLink' }]);
  expect(desiredReferrers('workload/shop/web')).toEqual([]);
});

test('the owner tag names the owner of a record', () => {
  const { carriesOwner } = contextOf([]);
  expect(carriesOwner(live('group/a'))).toBe(true);
  expect(carriesOwner(live('group/a', {}, { owner: 'bank' }))).toBe(false);
  expect(carriesOwner(live('group/a', {}, { owner: null }))).toBe(false);
});

describe('a user is found by name and by e-mail (platform/concepts.kinds)', () => {
  const ana = live('user/u-1', { email: 'ana@example.com' });
  const nameless = live('user/u-2');
  const { liveAt } = contextOf([], [ana, nameless, live('group/ben@example.com', { email: 'ben@example.com' })]);

  test.each([
    ['u-1', ana.id],
    ['ana@example.com', ana.id],
    ['u-2', nameless.id],
    ['ben@example.com', undefined],
  ])('%s', (name, id) => {
    expect(liveAt({ kind: 'user', name })?.id).toBe(id);
  });

  test('other kinds are found by name only', () => {
    expect(liveAt({ kind: 'group', name: 'ana@example.com' })).toBe(undefined);
  });
});
