import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { checkRecord } from '../../../../src/kinds/registry.ts';
import { context } from '../ruleCase.ts';
import { findings } from './findings.ts';

const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'x']));
const agent = (fields: JsonObject): JsonObject => ({ name: 'office', ...fields });
const linked = (link: string): JsonObject => ({ name: 'front', spec: { link } });
const acting = (identityLink: string): JsonObject => ({ name: 'web', spec: { identityLink } });
const offline = { where: 'offline' } as const;

// biome-ignore format: a row is a case
findings('agent', {
  'name.form': [
    ['accepts 3 characters', { name: 'abc' }, {}],
    ['accepts 64 characters', { name: 'a'.repeat(64) }, {}],
    ['counts the characters of a short one', { name: 'ab' },
      { name: '"ab" has 2 characters; a name of an agent must have 3 to 64' }],
    ['counts the characters of a long one', { name: 'a'.repeat(65) }, { name: 'has 65 characters' }],
    ...['Abc', '1abc', '-abc', 'abc-', 'a_c', 'a.c'].map((name) => [`refuses ${name}`, { name },
        { name: 'is not a valid name for an agent' }] as const),
    ['leaves a missing name to the schema', {}, {}],
  ],
  'name.immutable': [
    ['names both', { name: 'other' }, { name: 'the name "office" cannot be changed to "other"' },
      { before: agent({}) }],
    ['accepts a change that omits it', {}, {}, { before: agent({}) }],
    ['accepts the first one', agent({}), {}, { before: {} }],
  ],
  'kind.match': [
    ['names both', agent({ kind: 'secret' }), { kind: 'the kind must be "agent", not "secret"' }],
    ['leaves a kind that is not a string to the schema', agent({ kind: 1 }), {}],
    ['accepts a record without it', agent({}), {}],
  ],
  'description.length': [
    ['counts without outer white space, which the platform trims', agent({ description: ` ${'x'.repeat(250)} ` }), {}],
    ['names the length', agent({ description: ` ${'x'.repeat(251)} ` }),
      { description: 'the description has 251 characters' }],
  ],
  'description.trimmed': [
    ['refuses a space before it', agent({ description: ' text' }), { description: 'white space' }, offline],
    ['does not apply on the platform', agent({ description: 'text ' }), {}, { where: 'server' }],
    ['accepts a record without one', agent({}), {}, offline],
  ],
  'tags.count': [
    ['names the number', agent({ tags: tags(51) }), { tags: '51 tags, at most 50' }],
    ['leaves tags of another type to the schema', agent({ tags: Array.from({ length: 51 }, () => 'x') }), {}],
  ],
  'tags.user-count': [
    ['accepts 48', agent({ tags: tags(48) }), {}, offline],
    ['names the number', agent({ tags: tags(50) }), { tags: '50 tags, at most 48' }, offline],
    ['leaves more to tags.count', agent({ tags: tags(51) }), {}, offline],
  ],
  'tags.key-length': [
    ['refuses an empty key', agent({ tags: { '': 'x' } }), { 'tags.""': 'the key of a tag must not be empty' }],
    ['names the length', agent({ tags: { ['k'.repeat(129)]: 'x' } }),
      { [`tags.${'k'.repeat(129)}`]: 'has 129 characters, at most 128' }],
  ],
  'tags.value-length': [
    ['names key and length', agent({ tags: { a: 'v'.repeat(4097), b: 1 } }),
      { 'tags.a': 'the tag "a" has 4097 characters' }],
  ],
  'tags.reserved': [
    ['accepts a key that only ends like it', agent({ tags: { 'my-gantry/stack': 'x', gantryx: 'x' } }), {}, offline],
    ['names the tag', agent({ tags: { 'gantry/id': 'x' } }), { 'tags."gantry/id"': 'the tag "gantry/id"' }, offline],
  ],
  'key.dollar': [
    ['names the key', agent({ tags: { $drop: 'x', a$: 'y' } }), { 'tags.$drop': 'the key "$drop" must not begin' }],
  ],
});

findings('domain', {
  D1: [
    [
      'names the length',
      { name: 'example.com', description: 'x'.repeat(251) },
      { description: 'the description has 251 characters' },
    ],
    ['accepts a domain without one', { name: 'example.com' }, {}],
  ],
  'description.length': [['leaves it to D1', { name: 'example.com', description: 'x'.repeat(251) }, {}]],
});

test.each([
  ['gvc', 'G1'],
  ['workload', 'W40'],
  ['domain', 'name.domain'],
  ['org', 'org.name'],
] as const)('the name of a %s has one rule, %s', (kind, rule) => {
  const rules = checkRecord(kind, { name: 'A!' }, context).filter(({ path }) => path === 'name');
  expect(rules.map((problem) => problem.rule)).toEqual([rule]);
});

// biome-ignore format: a row is a case
findings('ipset', {
  'link.form': [
    ...['//gvc/shop', '/org/acme/gvc/shop', '//gvc/shop/workload/web', 'shop'].map((link) => [`takes ${link}`,
        linked(link), {}] as const),
    ...[
      '/gvc/shop',
      '//',
      '//gvc//workload',
      '/org/acme',
      '/org//gvc/shop',
      '//gvc/shop/',
      '/org/acme/gvc/shop/',
      '/x//gvc/shop',
    ].map((link) => [`refuses ${link}`, linked(link), { 'spec.link': `"${link}" is not a link` }] as const),
  ],
  'link.org': [
    ['names the org', linked('/org/other/gvc/shop'),
      { 'spec.link': 'a link must stay in its org; "/org/other/gvc/shop" points to the org "other"' }],
    ['accepts a link that only contains such a path', linked('//gvc/org/other/x'), {}],
    ['accepts the short form', linked('//gvc/shop'), {}],
  ],
  'link.target': [
    ['names the valid kinds', linked('//secret/a'), { 'spec.link': '"//secret/a" is not a link to a workload or gvc' }],
    ['leaves a value that is not a link to the schema', linked('shop'), {}],
  ],
});

// biome-ignore format: a row is a case
findings('workload', {
  'link.target': [
    ['accepts the short form of an identity', acting('//identity/app'), {}],
    ['reports nothing about the short form if the GVC is unknown', acting('//identity/app'), {},
      { context: { org: 'acme' } }],
    ['refuses another kind, whether or not the GVC is known', acting('//secret/app'),
      { 'spec.identityLink': 'is not a link to an identity' }, { context: { org: 'acme' } }],
    ['refuses another kind in the own GVC', acting('//gvc/shop/workload/web'),
      { 'spec.identityLink': 'is not a link to an identity' }],
  ],
  'link.gvc': [
    ['names both', acting('//gvc/other/identity/app'),
      { 'spec.identityLink': '"/org/acme/gvc/other/identity/app" must be in the GVC "shop", not in "other"' }],
    ['accepts the own GVC', acting('//gvc/shop/identity/app'), {}],
    ['reports nothing if the GVC is unknown', acting('//gvc/other/identity/app'), {},
      { context: { org: 'acme' } }],
    ['accepts links of others to another GVC',
      { name: 'web', spec: { firewallConfig: { internal: { inboundAllowWorkload: ['//gvc/other/workload/w'] } } } },
      {}],
  ],
  'reference.missing': [
    ['names the missing record', acting('//identity/app'), { 'spec.identityLink': 'identity/shop/app does not exist' },
      { absent: ['identity/shop/app'] }],
    ['reports nothing about an unknown record', acting('//identity/app'), {}],
  ],
});

findings('group', {
  'link.target': [['leaves members to GR1', { name: 'team', memberLinks: ['//gvc/shop'] }, {}]],
  'reference.missing': [
    ['leaves members to GR3', { name: 'team', memberLinks: ['//user/ann'] }, {}, { absent: ['user/ann'] }],
  ],
});

findings('policy', {
  'link.target': [
    ['leaves targets to PO2', { name: 'readers', targetKind: 'secret', targetLinks: ['//nothing/x'] }, {}],
  ],
});
