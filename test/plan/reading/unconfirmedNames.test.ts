import { expect, test } from 'vitest';
import { references } from '../../../src/kinds/references.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { gvcsToList } from '../../../src/plan/gvcsToList.ts';
import { unconfirmedNames } from '../../../src/plan/unconfirmedNames.ts';
import { contextOf, formatRef } from '../../../src/schema/record/ref.ts';
import { closure, declare, foreign, live, org, plan, snapshot, workload } from '../world.ts';

function namesOf(desired: readonly DesiredResource[], from: readonly LiveResource[]): readonly string[] {
  const referenced = desired.flatMap(({ ref, record }) =>
    references(ref.kind, record, contextOf(ref, org)).map(({ target }) => target),
  );
  return unconfirmedNames(plan(desired, from, { scope: 'partial' }), desired, referenced, snapshot(from)).map(
    formatRef,
  );
}

const policy = (...targetLinks: readonly string[]) => ({ targetKind: 'secret', targetLinks, bindings: [] });
const links = policy('//secret/a', '/org/other/secret/b');
const waiting = { dependsOn: ['secret/a', 'secret/c'] };

test.each<{
  it: string;
  desired: readonly DesiredResource[];
  from?: readonly LiveResource[];
  names: readonly string[];
}>(
  // biome-ignore format: a row is a case
  [
    { it: 'none without changes', desired: [declare('group/a')], from: [live('group/a')], names: [] },
    { it: 'a created resource', desired: [declare('group/a')], names: ['group/a'] },
    { it: 'its former name', desired: [declare('group/a', {}, { previously: 'b' })], names: ['group/a', 'group/b'] },
    { it: 'not a former name that exists', desired: [declare('group/a', {}, { previously: 'b' })],
      from: [foreign('group/b')], names: ['group/a'] },
    { it: 'not the former name of an existing resource',
      desired: [declare('group/a', { description: 'new' }, { previously: 'b' })], from: [live('group/a')], names: [] },
    { it: 'the targets of a creation in its own org', desired: [declare('policy/p', links)],
      names: ['policy/p', 'secret/a'] },
    { it: 'the targets of an update', desired: [declare('policy/p', links)], from: [live('policy/p', policy())],
      names: ['secret/a'] },
    { it: 'not an existing target', desired: [declare('policy/p', links)],
      from: [live('policy/p', policy()), foreign('secret/a')], names: [] },
    { it: 'the targets of an unchanged record: they may have been deleted since',
      desired: [declare('policy/p', links), declare('group/a')], from: [live('policy/p', links)],
      names: ['group/a', 'secret/a'] },
    { it: 'the target of dependsOn, if it is a reference',
      desired: [declare('group/g', { description: 'new' }, waiting), declare('policy/p', links)],
      from: [live('group/g'), live('policy/p', links)], names: ['secret/a'] },
    { it: 'a part of a missing resource',
      desired: [declare('domain/a.b', { spec: { ports: [{ number: 80 }] } }, { part: true })], names: ['domain/a.b'] },
  ],
)('names to read again: $it', ({ desired, from = [], names }) => {
  expect(namesOf(desired, from)).toEqual(names);
});

test('the apex above a sub-domain in DNS mode ns', () => {
  const sub = declare('domain/x.a.com', { spec: { dnsMode: 'ns' } });
  const apex = { kind: 'domain', name: 'a.com' } as const;
  const made = plan([sub], []);
  expect(unconfirmedNames(made, [sub], [apex], snapshot([])).map(formatRef)).toEqual([
    'domain/x.a.com',
    'domain/a.com',
  ]);
});

test('an undeclared resource is not read again, even if another is created', () => {
  const made = plan([declare('group/b')], [live('group/a')]);
  expect(unconfirmedNames(made, [declare('group/b')], [], snapshot([live('group/a')])).map(formatRef)).toEqual([
    'group/b',
  ]);
});

test('the content of a GVC that loses something is listed once', () => {
  const before = { spec: { env: [{ name: 'A', value: '1' }] } };
  const from = [live('gvc/g', before), live('gvc/h', before), live('workload/h/w', workload('a'))];
  const made = plan([declare('gvc/g'), declare('gvc/h', before), declare('workload/h/w', workload('b'))], from);
  expect(gvcsToList(made, snapshot(from))).toEqual(['g']);
  expect(gvcsToList(made, snapshot(from, { closures: closure('g', []) }))).toEqual([]);
});
