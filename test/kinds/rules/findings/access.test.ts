import type { JsonObject } from '../../../../src/base/json/json.ts';
import { other } from '../ruleCase.ts';
import { findings } from './findings.ts';

const policy = (targetKind: string, fields: JsonObject): JsonObject => ({ name: 'readers', targetKind, ...fields });
const bound = (...bindings: readonly JsonObject[]) => policy('secret', { target: 'all', bindings });
const to = (...principalLinks: readonly string[]) => ({ permissions: ['view'], principalLinks });
const group = (...memberLinks: readonly string[]): JsonObject => ({ name: 'team', memberLinks });
const builtIn: JsonObject = { name: 'p', origin: 'builtin' };

// biome-ignore format: a row is a case
findings('group', {
  GR1: [
    ['shows a value that is not a link',
      group('ann'), { 'memberLinks.0': '"ann" is not a link to a user or service account' }],
    ['leaves a value that is not a string to the schema', { name: 'team', memberLinks: [1] }, {}],
  ],
  GR3: [
    ['finds a user by id, by e-mail and by name', group('//user/u-1', '//user/ann@example.com', '//user/ann'), {},
      { absent: ['user/u-1', 'user/ann@example.com', 'user/ann'],
        others: [other('user', 'ann', { id: 'u-1', email: 'ann@example.com' })] }],
    ['does not find a service account by the name of a user', group('//serviceaccount/ann'),
      { 'memberLinks.0': 'serviceaccount/ann does not exist' },
      { absent: ['serviceaccount/ann'], others: [other('user', 'ann')] }],
    ['leaves other kinds to GR1', group('//group/ghost', 'text'), {}, { absent: ['group/ghost'] }],
    ['reports nothing about an unknown member', group('//user/bob'), {}],
    ['names the missing member', group('//user/bob'), { 'memberLinks.0': 'user/bob does not exist' },
      { absent: ['user/bob'], others: [other('user', 'ann')] }],
  ],
  'group.query-kind': [
    ['accepts a query without it', { name: 'team', memberQuery: { spec: {} } }, {}],
    ['accepts a group without a query', { name: 'team' }, {}],
    ['names both', { name: 'team', memberQuery: { kind: 'gvc' } },
      { 'memberQuery.kind': 'the query must be about "user", not "gvc"' }],
  ],
  'query.term': [
    ...['property', 'rel', 'tag'].map((by) => [`takes ${by}`,
        { name: 'team', memberQuery: { spec: { terms: [{ [by]: 'a', value: 1 }] } } }, {}] as const),
    [
      'reports the problem of each term',
      {
        name: 'team',
        memberQuery: {
          spec: {
            terms: [
              { value: 1 },
              { tag: 'a', rel: 'b', value: 1 },
              { tag: 'a' },
              { tag: 'a', op: '!exists', value: 1 },
              { tag: 'a', op: '~' },
            ],
          },
        },
      },
      { 'memberQuery.spec.terms.0': 'a term must have one of property, rel and tag',
        'memberQuery.spec.terms.1': 'a term must have only one of property, rel and tag, and has rel and tag',
        'memberQuery.spec.terms.2': 'a term with op "=" needs a value',
        'memberQuery.spec.terms.3.value': 'a term with op "!exists" cannot have a value',
        'memberQuery.spec.terms.4': 'a term with op "~" needs a value' },
    ],
    ['accepts both questions for existence',
      { name: 'team', memberQuery: { spec: { terms: [{ tag: 'a', op: 'exists' }, { tag: 'a', op: '!exists' }] } } },
      {}],
  ],
});

// biome-ignore format: a row is a case
findings('policy', {
  PO1: [
    ['accepts links alone, even none', policy('secret', { targetLinks: [] }), {}],
    ['accepts a query alone', policy('secret', { targetQuery: { kind: 'secret' } }), {}],
    ['accepts links and a query',
      policy('secret', { targetLinks: ['//secret/a'], targetQuery: { kind: 'secret' } }), {}],
    ['accepts a target that is set to null beside links',
      policy('secret', { target: null, targetLinks: ['//secret/a'] }),
      {}],
    ['refuses only a target set to null', policy('secret', { target: null }), { '': 'needs target: all' }],
    ['names the fields that all excludes',
      policy('secret', { target: 'all', targetLinks: ['//secret/a'], targetQuery: { kind: 'secret' } }),
      { target: 'target cannot be combined with targetLinks and targetQuery' }],
  ],
  PO2: [
    ...(
      [
        ['secret', '//secret/a', true],
        ['secret', '/org/acme/secret/a', true],
        ['secret', '//secret/a/b', false],
        ['secret', '//secret/', false],
        ['secret', 'secret/a', false],
        ['secret', '//gvc/shop/secret', false],
        ['workload', '//gvc/shop/workload/web', true],
        ['workload', '//gvc/shop/workload/', false],
        ['workload', '//agent/shop/workload/web', false],
        ['workload', '//gvc/shop/workload/web/x', false],
        ['workload', '//gvc/shop/identity/web', false],
        ['identity', '//identity/app', false],
        ['mk8s', '//mk8s/cluster', true],
        ['gvc', '//gvc/shop', true],
        ['gvc', '/org//gvc/shop', false],
        ['gvc', '/other/acme/gvc/shop', false],
      ] as const
    ).map(
      ([kind, link, taken]) =>
        [
          `${taken ? 'takes' : 'refuses'} ${link} as ${kind}`,
          policy(kind, { targetLinks: [link] }),
          taken ? {} : { 'targetLinks.0': `"${link}" is not a link to a` },
        ] as const,
    ),
    ['leaves a missing kind to the schema', { name: 'readers', targetLinks: ['//secret/a'] }, {}],
  ],
  PO3: [
    [
      'names each invalid one',
      bound(to('//user/a@example.com', '//secret/x'), to('//serviceaccount/ci', 'group/a', '//identity/app')),
      { 'bindings.0.principalLinks.1': '"//secret/x" is not a principal',
        'bindings.1.principalLinks.1': '"group/a" is not a principal',
        'bindings.1.principalLinks.2': '"//identity/app" is not a principal' },
    ],
  ],
  PO4: [
    ['names the valid ones',
      policy('agent', { target: 'all', bindings: [{ permissions: ['fly'], principalLinks: [] }] }),
      { 'bindings.0.permissions.0': '"fly" is not a permission on an agent Permissions on an agent are create, ' }],
    ['reports nothing about an unknown kind',
      policy('mk9s', { target: 'all', bindings: [{ permissions: ['fly'] }] }), {}],
    ['leaves a missing kind to the schema', { name: 'readers', bindings: [{ permissions: ['fly'] }] }, {}],
  ],
  PO5: [
    ['accepts bindings without permissions', bound({ permissions: [] }, { permissions: [] }), {}],
    ['counts a duplicate permission once',
      bound({ permissions: ['view', 'edit', 'view'] }, { permissions: ['edit', 'view'] }),
      { 'bindings.1': 'two bindings must not grant the same permissions (edit, view)' }],
  ],
  PO6: [
    ['accepts it unchanged', builtIn, {}, { before: { name: 'p' } }],
    ['names the policy', { ...builtIn, description: 'd' }, { '': 'the built-in policy "p" cannot be changed' },
      { before: { name: 'p' } }],
  ],
  PO7: [
    ['names targets and principals',
      policy('secret', { targetLinks: ['//secret/a', '//secret/ghost'], bindings: [to('//group/a', '//group/ghost')] }),
      { 'targetLinks.1': 'secret/ghost does not exist', 'bindings.0.principalLinks.1': 'group/ghost does not exist' },
      { absent: ['secret/ghost', 'group/ghost'] }],
    ['leaves invalid links to PO2 and PO3',
      policy('secret', { targetLinks: ['a'], bindings: [to('b')] }), {}],
  ],
  'policy.target-kind': [
    ['names both', policy('gvc', {}), { targetKind: 'the targetKind cannot be changed from "secret" to "gvc"' },
      { before: policy('secret', {}) }],
    ['accepts the first one', policy('gvc', {}), {}, { before: { name: 'readers' } }],
    ['refuses to remove it', { name: 'readers' }, { targetKind: 'to nothing' }, { before: policy('secret', {}) }],
  ],
  'policy.query-kind': [
    ['accepts a query without it', policy('secret', { targetQuery: {} }), {}],
    ['names both', policy('secret', { targetQuery: { kind: 'gvc' } }),
      { 'targetQuery.kind': 'the query must be about "secret", not "gvc"' }],
    ['leaves a missing kind to the schema', { name: 'readers', targetQuery: { kind: 'gvc' } }, {}],
    ['leaves a query of another type to the schema', policy('secret', { targetQuery: [] }), {}],
  ],
});

for (const kind of ['serviceaccount', 'auditctx'] as const) {
  // biome-ignore format: a row is a case
  findings(kind, {
    'builtin.immutable': [
      ['accepts it unchanged', builtIn, {}, { before: { name: 'p' } }],
      ['names kind and record', { ...builtIn, description: 'd' }, { '': `the built-in ${kind} "p" cannot be changed` },
        { before: { name: 'p' } }],
      ['accepts one that is not built in', { name: 'p', description: 'd' }, {}, { before: { name: 'p' } }],
    ],
  });
}

findings('org', {
  'org.name': [
    ...['index', 'xserve-a'].map(
      (name) => [`reserves ${name}`, { name }, { name: `the name "${name}" is reserved` }] as const,
    ),
    ...['indexes', 'xserve', 'ab', 'a-xserve-b'].map((name) => [`accepts ${name}`, { name }, {}] as const),
    ['counts the characters', { name: 'a'.repeat(65) }, { name: 'has 65 characters' }],
    ['shows an invalid name', { name: 'A b' }, { name: '"A b" is not a valid name' }],
    ['refuses an org without a name', {}, { name: 'is not a valid name' }],
  ],
  'org.alert-email': [
    ...['ann@example.com', 'a.b+c@d.example.co'].map(
      (email) =>
        [`accepts ${email}`, { name: 'acme', spec: { observability: { defaultAlertEmails: [email] } } }, {}] as const,
    ),
    ...[
      'ann',
      'ann@example',
      'ann@',
      '@example.com',
      'a b@example.com',
      'a@b@example.com',
      'ann@exam ple.com',
      'ann@example.com ',
    ].map(
      (email) =>
        [
          `refuses "${email}"`,
          { name: 'acme', spec: { observability: { defaultAlertEmails: [email] } } },
          { 'spec.observability.defaultAlertEmails.0': `"${email}" is not an e-mail address` },
        ] as const,
    ),
  ],
});
