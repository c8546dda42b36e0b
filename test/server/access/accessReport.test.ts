import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, own } from '../../../src/base/json/json.ts';
import { AccessReportRows, type LinkedPolicy } from '../../../src/server/access/decisions/grants.ts';
import { readPolicy } from '../../../src/server/access/decisions/policyReading.ts';

const target = {
  links: ['/org/acme/secret/db'],
  candidate: () => ({ fields: { name: 'db', tags: { team: 'red' } }, gvc: '' }),
};

function accessRows(kind: string, of: typeof target, policies: readonly LinkedPolicy[]): readonly JsonObject[] {
  const rows = new AccessReportRows(kind, of);
  for (const policy of policies) rows.add(policy);
  return listAt({ rows: JSON.parse(rows.text) }, 'rows').filter(isObject);
}

function report(...policies: readonly JsonObject[]): readonly JsonObject[] {
  const linked = policies.map((record, index) => ({
    ...readPolicy(record, 'acme'),
    link: `/org/acme/policy/p${index}`,
  }));
  return accessRows('secret', target, linked);
}

function row(rows: readonly JsonObject[], permission: string): readonly JsonObject[] {
  const found = rows.find((each) => own(each, 'name') === permission) ?? {};
  return listAt(found, 'bindings').filter(isObject);
}

const editors = {
  targetKind: 'secret',
  targetLinks: ['//secret/db'],
  bindings: [{ permissions: ['edit'], principalLinks: ['//group/team'] }],
};

test('the report has a row for each permission of the kind, even if no caller has it (platform/access.report)', () => {
  expect(report().map((each) => [own(each, 'name'), own(each, 'bindings')])).toEqual(
    ['create', 'delete', 'edit', 'manage', 'reveal', 'use', 'view'].map((name) => [name, []]),
  );
});

test('a bound permission grants its own row and those that it implies (platform/access.report, platform/access.permissions)', () => {
  const rows = report(editors);
  const binding = {
    principalLink: '/org/acme/group/team',
    grantingPolicyLink: '/org/acme/policy/p0',
    grantedPermissions: ['edit'],
    match: 'link',
  };
  for (const permission of ['edit', 'reveal', 'view']) expect(row(rows, permission)).toEqual([binding]);
  for (const permission of ['create', 'delete', 'manage', 'use']) expect(row(rows, permission)).toEqual([]);
});

test("grantedPermissions lists the permissions in any of the policy's bindings that grant or imply the row", () => {
  const rows = report({
    targetKind: 'secret',
    target: 'all',
    bindings: [
      { permissions: ['edit', 'use'], principalLinks: ['//user/a@x.example', '//group/team'] },
      { permissions: ['reveal'], principalLinks: ['//group/team'] },
    ],
  });
  expect(row(rows, 'reveal')).toEqual([
    {
      principalLink: '/org/acme/user/a@x.example',
      grantingPolicyLink: '/org/acme/policy/p0',
      grantedPermissions: ['edit'],
      match: 'all',
    },
    {
      principalLink: '/org/acme/group/team',
      grantingPolicyLink: '/org/acme/policy/p0',
      grantedPermissions: ['edit', 'reveal'],
      match: 'all',
    },
  ]);
  expect(row(rows, 'use').map((each) => own(each, 'grantedPermissions'))).toEqual([['use'], ['use']]);
});

test('a name that is not a permission of the kind grants nothing in the report either (platform/policy, PO4)', () => {
  const of = { ...editors, bindings: [{ permissions: ['exec', 'delete', 'fly'], principalLinks: ['//group/team'] }] };
  const rows = accessRows('quota', { ...target, links: ['/org/acme/quota/gvcs'] }, [
    {
      ...readPolicy({ ...of, targetKind: 'quota', targetLinks: ['//quota/gvcs'] }, 'acme'),
      link: '/org/acme/policy/p',
    },
  ]);
  for (const permission of ['create', 'edit', 'manage', 'view']) expect(row(rows, permission)).toEqual([]);
});

const bindings = editors.bindings;
const red = { spec: { terms: [{ tag: 'team', value: 'red' }] } };
const blue = { spec: { terms: [{ tag: 'team', value: 'blue' }] } };

test.each([
  ['targetLinks', { targetKind: 'secret', targetLinks: ['//secret/db'], bindings }, 'link'],
  ['targetQuery', { targetKind: 'secret', targetQuery: red, bindings }, 'query'],
  ['target: all', { targetKind: 'secret', target: 'all', bindings }, 'all'],
  ['both link and query', { targetKind: 'secret', targetLinks: ['//secret/db'], targetQuery: red, bindings }, 'link'],
  [
    'the query beside another link',
    { targetKind: 'secret', targetLinks: ['//secret/x'], targetQuery: red, bindings },
    'query',
  ],
  ['a query that does not match', { targetKind: 'secret', targetQuery: blue, bindings }, undefined],
  ['another kind', { targetKind: 'gvc', target: 'all', bindings }, undefined],
] as const)('%s: match %s', (_, policy, match) => {
  const matches = row(report(policy), 'edit').map((each) => own(each, 'match'));
  expect(matches).toEqual(match === undefined ? [] : [match]);
});

test('several policies are listed one after the other', () => {
  const rows = report(
    editors,
    { ...editors, targetLinks: ['//secret/other'] },
    { ...editors, bindings: [{ permissions: ['manage'], principalLinks: ['//group/superusers'] }] },
  );
  expect(row(rows, 'view').map((each) => [own(each, 'grantingPolicyLink'), own(each, 'grantedPermissions')])).toEqual([
    ['/org/acme/policy/p0', ['edit']],
    ['/org/acme/policy/p2', ['manage']],
  ]);
});
