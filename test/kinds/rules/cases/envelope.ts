import type { JsonObject } from '../../../../src/base/json/json.ts';
import { casesOf, type RuleCase } from '../ruleCase.ts';

function tags(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'x']));
}

const agent = (fields: JsonObject): JsonObject => ({ name: 'office', ...fields });

// biome-ignore format: a row is a case
export const envelopeCases: readonly RuleCase[] = [
  ...casesOf('name.form', 'agent',
    [{ it: 'a trailing hyphen (A.2)', passes: { name: 'abc' }, fails: { name: 'abc-' }, path: 'name' }]),
  ...casesOf('name.form', 'secret',
    [{ it: 'two characters (A.2)', passes: { name: 'a-1' }, fails: { name: 'a1' }, path: 'name' }]),
  ...casesOf('name.form', 'ipset',
    [{ it: '65 characters (A.2)', passes: { name: 'a'.repeat(64) }, fails: { name: 'a'.repeat(65) }, path: 'name' }]),
  ...casesOf('name.form', 'group', [
    { it: 'a name of Object.prototype', passes: { name: 'constructor' }, fails: { name: '__proto__' }, path: 'name' },
  ]),
  ...casesOf('name.immutable', 'agent',
    [{ it: 'another name', before: agent({}), passes: agent({}), fails: { name: 'other' }, path: 'name' }]),
  ...casesOf('kind.match', 'agent',
    [{ it: 'another kind', passes: agent({ kind: 'agent' }), fails: agent({ kind: 'secret' }), path: 'kind' }]),
  ...casesOf('description.length', 'agent', [
    { it: '251 characters (A.4)', passes: agent({ description: 'x'.repeat(250) }),
      fails: agent({ description: 'x'.repeat(251) }), path: 'description' },
  ]),
  ...casesOf('D1', 'domain', [
    { it: '251 characters (platform/concepts.description)',
      passes: { name: 'example.com', description: 'x'.repeat(250) },
      fails: { name: 'example.com', description: 'x'.repeat(251) }, path: 'description' },
  ]),
  ...casesOf('description.trimmed', 'agent', [
    { it: 'a line break at the end (A.4)', where: 'offline', passes: agent({ description: 'two words' }),
      fails: agent({ description: 'text\n' }), path: 'description' },
  ]),
  ...casesOf('tags.count', 'agent',
    [{ it: '51 tags (A.5)', passes: agent({ tags: tags(50) }), fails: agent({ tags: tags(51) }), path: 'tags' }]),
  ...casesOf('tags.user-count', 'agent', [
    { it: '49 tags of the user', where: 'offline', passes: agent({ tags: tags(48) }), fails: agent({ tags: tags(49) }),
      path: 'tags' },
  ]),
  ...casesOf('tags.key-length', 'agent', [
    { it: 'a key of 129 characters (A.5)', passes: agent({ tags: { ['k'.repeat(128)]: 1 } }),
      fails: agent({ tags: { ['k'.repeat(129)]: 1 } }), path: `tags.${'k'.repeat(129)}` },
  ]),
  ...casesOf('tags.value-length', 'agent', [
    { it: 'a value of 4097 characters', passes: agent({ tags: { a: 'v'.repeat(4096) } }),
      fails: agent({ tags: { a: 'v'.repeat(4097) } }), path: 'tags.a' },
  ]),
  ...casesOf('tags.reserved', 'agent', [
    { it: 'a tag of Gantry', where: 'offline', passes: agent({ tags: { gantry: 'x' } }),
      fails: agent({ tags: { 'gantry/stack': 'x' } }), path: 'tags."gantry/stack"' },
  ]),
  ...casesOf('key.dollar', 'agent', [
    { it: 'a tag that looks like a directive', passes: agent({ tags: { a$: 'x' } }),
      fails: agent({ tags: { $drop: 'x' } }), path: 'tags.$drop' },
  ]),
  ...casesOf('link.form', 'ipset', [
    { it: 'a slash at the end (A.6)', passes: { name: 'ips', spec: { link: '//gvc/shop' } },
      fails: { name: 'ips', spec: { link: '//gvc/shop/' } }, path: 'spec.link' },
  ]),
  ...casesOf('link.org', 'ipset', [
    { it: 'another org (A.6)', passes: { name: 'ips', spec: { link: '/org/acme/gvc/shop' } },
      fails: { name: 'ips', spec: { link: '/org/other/gvc/shop' } }, path: 'spec.link' },
  ]),
  ...casesOf('link.target', 'ipset', [
    { it: 'a link to another kind (A.6)', passes: { name: 'ips', spec: { link: '//gvc/shop/workload/web' } },
      fails: { name: 'ips', spec: { link: '//secret/x' } }, path: 'spec.link' },
    { it: 'a workload without its GVC (A.6)',
      passes: { name: 'ips', spec: { link: '/org/acme/gvc/shop/workload/web' } },
      fails: { name: 'ips', spec: { link: '//workload/web' } }, path: 'spec.link' },
  ]),
  ...casesOf('link.gvc', 'workload', [
    { it: 'an identity of another GVC (B2.14)', passes: { name: 'web', spec: { identityLink: '//identity/app' } },
      fails: { name: 'web', spec: { identityLink: '//gvc/other/identity/app' } }, path: 'spec.identityLink' },
  ]),
  ...casesOf('reference.missing', 'workload', [
    { it: 'an identity that does not exist (D 2)', absent: ['identity/shop/ghost'],
      passes: { name: 'web', spec: { identityLink: '//identity/app' } },
      fails: { name: 'web', spec: { identityLink: '//identity/ghost' } }, path: 'spec.identityLink' },
  ]),
  ...casesOf('reference.missing', 'gvc', [
    { it: 'a location that does not exist (D 11)', absent: ['location/nowhere'],
      passes: { name: 'shop', spec: { staticPlacement: { locationLinks: ['//location/aws-us-east-1'] } } },
      fails: { name: 'shop', spec: { staticPlacement: { locationLinks: ['//location/nowhere'] } } },
      path: 'spec.staticPlacement.locationLinks.0' },
  ]),
  ...casesOf('reference.dangling', 'gvc', [
    { it: 'a secret of keda that does not exist (D 16)', absent: ['secret/none'],
      passes: { name: 'shop', spec: { keda: { enabled: true, secrets: ['//secret/queue'] } } },
      fails: { name: 'shop', spec: { keda: { enabled: true, secrets: ['//secret/none'] } } },
      path: 'spec.keda.secrets.0' },
    { it: 'an identity of keda that does not exist (D 15)', absent: ['identity/shop/ghost'],
      passes: { name: 'shop', spec: { keda: { enabled: true } } },
      fails: { name: 'shop', spec: { keda: { enabled: true, identityLink: '//identity/ghost' } } },
      path: 'spec.keda.identityLink' },
    { it: 'an alias workload that does not exist (D 17)', absent: ['workload/shop/ghost'], passes: { name: 'shop' },
      fails: { name: 'shop', spec: { aliasWorkloadLink: '//gvc/shop/workload/ghost' } },
      path: 'spec.aliasWorkloadLink' },
  ]),
  ...casesOf('reference.dangling', 'cloudaccount', [
    { it: 'the secret of a cloud account that does not exist (D 32)', absent: ['secret/none'],
      passes: { name: 'account', provider: 'azure', data: { secretLink: '//secret/there' } },
      fails: { name: 'account', provider: 'azure', data: { secretLink: '//secret/none' } }, path: 'data.secretLink' },
  ]),
];
