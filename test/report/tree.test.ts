import { expect, test } from 'vitest';
import type { Explanation } from '../../src/change/explanation.ts';
import { renderBody } from '../../src/cli/output/treeText.ts';
import type { AccessChange } from '../../src/plan/model/change.ts';
import { briefOf, changeItem } from '../../src/report/tree/change.ts';
import { driftTree } from '../../src/report/tree/drift.ts';
import { explanationTree } from '../../src/report/tree/explanation.ts';
import { blocksOf } from '../../src/report/treeMarkdown.ts';
import { makePalette } from '../../src/terminal/palette.ts';
import { changeOf, driftDocument } from './makeReports.ts';

test('the nodes below a change are made when a printer reads them', () => {
  const change = changeOf({});
  let reads = 0;
  const get = (): readonly string[] => {
    reads += 1;
    return ['seen'];
  };
  Object.defineProperty(change, 'notes', { get });
  const item = changeItem(change);
  expect(reads).toBe(0);
  expect(item.children()).toContainEqual({ node: 'line', line: ['note: ', { name: 'seen' }], tone: 'faint' });
});

const view = { change: 'gained', principal: 'group/ops', permission: 'view', target: 'secret/db' } as const;

const links = (...names: readonly string[]): readonly string[] => names.map((name) => `//group/${name}`);

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'a value', fields: [{ path: 'spec.image', old: 'a:1', new: 'a:2' }], says: 'image a:1 → a:2' },
    { it: 'an item that a list gains, and one that it loses',
      fields: [{ path: 'memberLinks', old: links('a', 'b'), new: links('a', 'c') }, { path: 'tags.x', new: 1 }],
      says: 'memberLinks - //group/b + //group/c and 1 more' },
    { it: 'two of many items', fields: [{ path: 'memberLinks', old: links('a'), new: links('b', 'c', 'd') }],
      says: 'memberLinks - //group/a + //group/b, 2 more' },
    { it: 'another order', fields: [{ path: 'args', old: ['a', 'b'], new: ['b', 'a'] }],
      says: 'args ["a","b"] → ["b","a"]' },
    { it: 'bindings by their meaning', fields: [{ path: 'bindings', old: [{ permissions: ['view'] }], new: [] }],
      access: [{ change: 'lost' as const, principal: 'group/ops', permission: 'view', target: 'secret/db' },
        { change: 'lost' as const, principal: 'user/bob', permission: 'view', target: 'secret/db' }],
      says: '- view group/ops on secret/db and 1 more' },
  ],
)('a row of the report shows what changes: $it', ({ fields, access, says }) => {
  expect(briefOf(changeOf({ fields, ...(access === undefined ? {} : { access }) }))).toBe(says);
});

// biome-ignore format: a row is a case
const accessCases: readonly {
  readonly it: string;
  readonly access: readonly AccessChange[];
  readonly lines: string[];
}[] = [
  { it: 'a principal, in one line for all targets',
    access: [view, { ...view, target: 'secret/key' }, { ...view, change: 'lost', permission: 'edit' }],
    lines: ['+ view  group/ops on secret/db, secret/key', '- edit  group/ops on secret/db'] },
  { it: 'a group with its members',
    access: [{ ...view, members: { users: 3, serviceAccounts: 0 } },
      { ...view, permission: 'edit', members: { users: 1, serviceAccounts: 2, more: true } },
      { ...view, permission: 'use', members: { users: 0, serviceAccounts: 0 } }],
    lines: ['+ view  group/ops on secret/db (3 users through group/ops)',
      '+ edit  group/ops on secret/db (at least 1 user and 2 service accounts through group/ops)',
      '+ use  group/ops on secret/db (0 users through group/ops)'] },
  { it: 'a member, with its access through the group',
    access: [{ ...view, principal: 'user/bob', permission: 'member', target: 'group/ops' },
      { ...view, principal: 'user/bob', through: 'group/ops' }],
    lines: ['+ member  user/bob', '+ view  user/bob on secret/db (through group/ops)'] },
  { it: 'members by a query',
    access: [{ ...view, principal: 'users where tag team = ops', permission: 'member', target: 'group/ops' }],
    lines: ['+ member  users where tag team = ops'] },
  { it: 'with another policy that grants the same',
    access: [{ ...view, also: { policy: 'policy/all' } },
      { ...view, change: 'lost', principal: 'user/bob', also: { policy: 'policy/all', through: 'group/dev' } },
      { ...view, change: 'lost', principal: 'user/bob', through: 'group/ops', also: { policy: 'policy/all' } }],
    lines: ['+ view  group/ops on secret/db (already through policy/all)',
      '- view  user/bob on secret/db (still through policy/all and group/dev)',
      '- view  user/bob on secret/db (through group/ops; still through policy/all)'] },
  { it: 'traffic, in one line for each address',
    access: [{ ...view, principal: '0.0.0.0/0', permission: 'inbound', target: 'workload/shop/web:443' },
      { ...view, principal: 'workload/shop/web', permission: 'outbound', target: 'a.example.com' },
      { ...view, principal: 'workload/shop/web', permission: 'outbound', target: 'b.example.com' }],
    lines: ['+ inbound from 0.0.0.0/0 to workload/shop/web:443', '+ outbound from workload/shop/web to a.example.com',
      '+ outbound from workload/shop/web to b.example.com'] },
];

test.each(accessCases)('access shows who gains and who loses which permission: $it', ({ access, lines }) => {
  const look = { palette: makePalette(false), lineDiff: undefined, width: 120 };
  const expected = lines.map((each) => `        ${each}`);
  const planned = renderBody(changeItem(changeOf({ access })), look);
  expect(planned.slice(planned.indexOf('      access:') + 1)).toEqual(expected);
  const resource = {
    ...{ id: 'policy/p', orphaned: false, fields: [], writes: [], access },
    state: 'touched',
  } as const;
  const [item] = driftTree(driftDocument([resource])).children();
  const drifted = item?.node === 'item' ? renderBody(item, look) : [];
  expect(drifted.slice(drifted.indexOf('      access:') + 1)).toEqual(expected);
});

test('in Markdown an explanation has its values as a diff, and no sign in it begins a list', () => {
  // biome-ignore format: a row is a case
  const explained: Explanation = {
    ...{ org: 'o', stack: 'shop', resource: 'group/ops', action: 'delete', reason: '' },
    ...{ requests: [], choices: [], equal: [], counts: {}, waitsFor: [], takesAlong: [], refusals: [], notes: [] },
    fields: [{ path: 'tags.a', why: 'differs', because: 'it is written', live: '1', declared: '2',
        at: { file: 'a.yaml', line: 3, column: 1 } }],
  };
  const [head, ...groups] = explanationTree(explained).children();
  expect(blocksOf(head === undefined ? [] : [head])).toEqual(['- `-` `group/ops` will be deleted']);
  const [values] = groups.flatMap((group) => ('children' in group ? group.children() : []));
  expect(blocksOf(values?.node === 'item' ? values.children() : []).join('\n')).toBe(
    ['', '```diff', '- tags.a: "1"', '+ tags.a: "2"', '```', '', '- declared `a.yaml:3:1`', '- `it is written`'].join(
      '\n',
    ),
  );
});
