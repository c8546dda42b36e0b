import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import {
  allows,
  allowsAll,
  compileGrants,
  type Grants,
  type Target,
} from '../../../src/server/access/decisions/grants.ts';
import { readPolicy } from '../../../src/server/access/decisions/policyReading.ts';

const me = '/org/acme/serviceaccount/me';

function policy(fields: JsonObject, permissions = ['edit'], principals = [me]): JsonObject {
  return { name: 'p', bindings: [{ permissions, principalLinks: principals }], ...fields };
}

function grantsOf(policies: readonly JsonObject[], principals: readonly string[] = [me]): Grants {
  return compileGrants(
    policies.map((record) => readPolicy(record, 'acme')),
    new Set(principals),
  );
}

function target(link: string, fields: JsonObject = {}, status: JsonObject = {}): Target {
  return {
    links: [link],
    candidate: (withStatus) => ({ fields: withStatus ? { ...fields, status } : fields, gvc: '' }),
  };
}

const shop = target('/org/acme/gvc/shop', { name: 'shop', tags: { tier: 'gold', open: true } });
const query = (tag: string, value: string | boolean) => ({ kind: 'gvc', spec: { terms: [{ tag, value }] } });

interface Case {
  readonly it: string;
  readonly policies: readonly JsonObject[];
  readonly permission?: string;
  readonly allowed: boolean;
}

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'target all hits every record', policies: [policy({ targetKind: 'gvc', target: 'all' })], allowed: true },
  { it: 'a target link hits its record', policies: [policy({ targetKind: 'gvc', targetLinks: ['/org/acme/gvc/shop'] })],
    allowed: true },
  { it: 'a short target link hits too', policies: [policy({ targetKind: 'gvc', targetLinks: ['//gvc/shop'] })],
    allowed: true },
  { it: 'a target link to another record does not hit',
    policies: [policy({ targetKind: 'gvc', targetLinks: ['//gvc/shops'] })], allowed: false },
  { it: 'no target hits nothing', policies: [policy({ targetKind: 'gvc', targetLinks: [] })], allowed: false },
  { it: 'a target query hits what it matches',
    policies: [policy({ targetKind: 'gvc', targetQuery: query('tier', 'gold') })], allowed: true },
  { it: 'a boolean tag is matched by its text (platform/query)',
    policies: [policy({ targetKind: 'gvc', targetQuery: query('open', 'true') })], allowed: true },
  { it: 'a target query does not hit what it does not match',
    policies: [policy({ targetKind: 'gvc', targetQuery: query('tier', 'lead') })], allowed: false },
  { it: 'an empty target query matches everything (platform/query)',
    policies: [policy({ targetKind: 'gvc', targetQuery: {} })], allowed: true },
  { it: 'links and query of one policy add up (platform/policy, PO1): the query',
    policies: [policy({ targetKind: 'gvc', targetLinks: ['//gvc/a'], targetQuery: query('tier', 'gold') })],
    allowed: true },
  { it: 'links and query of one policy add up: the link',
    policies: [policy({ targetKind: 'gvc', targetLinks: ['//gvc/shop'], targetQuery: query('tier', 'lead') })],
    allowed: true },
  { it: 'a query that cannot be read hits nothing',
    policies: [
      policy({ targetKind: 'gvc', targetQuery: { spec: { terms: [{ op: '=~', tag: 'tier', value: '(' }] } } })],
    allowed: false },
  { it: 'a query about another kind hits nothing',
    policies: [policy({ targetKind: 'gvc', targetQuery: { kind: 'secret' } })], allowed: false },
  { it: 'a policy about another kind hits nothing', policies: [policy({ targetKind: 'secret', target: 'all' })], allowed: false },
  { it: 'another permission is not enough', policies: [policy({ targetKind: 'gvc', target: 'all' }, ['delete'])], allowed: false },
  { it: 'an implied permission is enough', policies: [policy({ targetKind: 'gvc', target: 'all' }, ['delete'])],
    permission: 'view', allowed: true },
  { it: 'manage is enough', policies: [policy({ targetKind: 'gvc', target: 'all' }, ['manage'])],
    permission: 'configureLoadBalancer', allowed: true },
  { it: 'edit does not give configureLoadBalancer (platform/access.permissions)',
    policies: [policy({ targetKind: 'gvc', target: 'all' }, ['edit'])], permission: 'configureLoadBalancer',
    allowed: false },
  { it: 'a binding of another principal grants nothing',
    policies: [policy({ targetKind: 'gvc', target: 'all' }, ['edit'], ['/org/acme/serviceaccount/you'])],
    allowed: false },
  { it: 'a short principal link grants too',
    policies: [policy({ targetKind: 'gvc', target: 'all' }, ['edit'], ['//serviceaccount/me'])], allowed: true },
  { it: 'the principal of another org grants nothing',
    policies: [policy({ targetKind: 'gvc', target: 'all' }, ['edit'], ['/org/other/serviceaccount/me'])],
    allowed: false },
  { it: 'a binding grants only to the principals that it names',
    policies: [{ name: 'p', targetKind: 'gvc', target: 'all',
      bindings: [
        { permissions: ['view'], principalLinks: [me] },
        { permissions: ['edit'], principalLinks: ['//group/others'] },
      ] }],
    allowed: false },
  { it: 'no policy grants nothing', policies: [], allowed: false },
];

test.each(cases)('$it (platform/access.evaluation)', ({ policies, permission = 'edit', allowed }) => {
  expect(allows(grantsOf(policies), 'gvc', permission, shop)).toBe(allowed);
});

test('members have the permissions of their group (platform/access.evaluation)', () => {
  const policies = [policy({ targetKind: 'gvc', target: 'all' }, ['view'], ['//group/team'])];
  expect(allows(grantsOf(policies, [me]), 'gvc', 'view', shop)).toBe(false);
  expect(allows(grantsOf(policies, [me, '/org/acme/group/team']), 'gvc', 'view', shop)).toBe(true);
});

test('a user is found by e-mail in any case, and by id (platform/group.members)', () => {
  const principals = ['/org/acme/user/ann@x.example', '/org/acme/user/123'];
  for (const link of ['//user/Ann@X.example', '//user/123', '/org/acme/user/ann@x.example']) {
    expect(
      allows(
        grantsOf([policy({ targetKind: 'gvc', target: 'all' }, ['edit'], [link])], principals),
        'gvc',
        'edit',
        shop,
      ),
    ).toBe(true);
  }
});

test('the status is computed only for queries about it (platform/query)', () => {
  const asked: boolean[] = [];
  const watched: Target = {
    links: ['/org/acme/workload/w'],
    candidate(withStatus) {
      asked.push(withStatus);
      return { fields: withStatus ? { status: { ready: true } } : { name: 'w' }, gvc: 'g' };
    },
  };
  const about = (property: string, value: string) =>
    grantsOf([policy({ targetKind: 'workload', targetQuery: { spec: { terms: [{ property, value }] } } })]);
  expect(allows(about('status.ready', 'true'), 'workload', 'edit', watched)).toBe(true);
  expect(allows(about('name', 'w'), 'workload', 'edit', watched)).toBe(true);
  expect(asked).toEqual([true, false]);
});

describe('permissions on a whole kind, decided without reading a record', () => {
  const grants = grantsOf([
    policy({ targetKind: 'gvc', target: 'all' }, ['view']),
    policy({ targetKind: 'gvc', targetLinks: ['//gvc/shop'] }, ['edit']),
    policy({ targetKind: 'secret', targetQuery: query('tier', 'gold') }, ['reveal']),
  ]);

  test.each([
    ['gvc', 'view', true],
    ['gvc', 'edit', false],
    ['secret', 'reveal', false],
    ['workload', 'view', false],
  ] as const)('%s %s holds for all records of the kind: %s', (kind, permission, all) => {
    expect(allowsAll(grants, kind, permission)).toBe(all);
  });
});

test('names on Object.prototype are ordinary names', () => {
  expect(allows(grantsOf([]), 'constructor', 'toString', shop)).toBe(false);
});
