import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { balancerOf } from '../../../../src/kinds/ipset/rules.ts';
import { other } from '../ruleCase.ts';
import { findings } from './findings.ts';

const identity = (fields: JsonObject): JsonObject => ({ name: 'app', ...fields });
const account = { cloudAccountLink: '//cloudaccount/main' };
const ipSet = (link: string | undefined): JsonObject => ({ name: 'front', spec: link === undefined ? {} : { link } });
const addressed = (ipSet: string) => ({ spec: { loadBalancer: { direct: { ipSet } } } });

// biome-ignore format: a row is a case
findings('identity', {
  I1: [
    ['does not count empty values',
      identity({ aws: { ...account, roleName: 'r', policyRefs: [], trustPolicy: {} },
          gcp: { serviceAccount: 's', bindings: [] } }), {}],
    ['names each pair',
      identity({ aws: { ...account, roleName: 'r', policyRefs: ['p'], trustPolicy: { Version: 'v' } },
          gcp: { serviceAccount: 's', bindings: [{ roles: ['r'] }] } }),
      { aws: ['policyRefs and roleName cannot be combined', 'trustPolicy and roleName cannot be combined'],
        gcp: 'serviceAccount and bindings' }],
    ['checks each native resource',
      identity({ nativeNetworkResources: [{ name: 'a' }, { name: 'b', awsPrivateLink: {}, gcpServiceConnect: {} },
            { name: 'c', gcpServiceConnect: {} }] }),
      { 'nativeNetworkResources.a': 'and has neither', 'nativeNetworkResources.b': 'and has both' }],
  ],
  I3: [
    ['accepts an identity without networks', identity({}), {}],
    [
      'names names and hosts that occur twice, hosts without case',
      identity({
        networkResources: [
          { name: 'a', FQDN: 'x.example' },
          { name: 'a', FQDN: 'X.example' },
        ],
        nativeNetworkResources: [{ name: 'b', FQDN: 'x.EXAMPLE' }],
      }),
      { 'networkResources.a.name': 'network resources must not have the same name ("a")',
        'networkResources.a.FQDN': 'network resources must not have the same FQDN ("x.example")',
        'nativeNetworkResources.b.FQDN': 'network resources must not have the same FQDN ("x.example")' },
    ],
    ['compares names with hosts without case',
      identity({ networkResources: [{ name: 'X.example', IPs: ['10.0.0.1'] }, { name: 'b', FQDN: 'x.example' }] }),
      { 'networkResources."X.example".name': 'the name "X.example" must not be an FQDN' }],
    ['leaves a missing name to the schema', identity({ networkResources: [{}, {}] }), {}],
    ['accepts one named by its own host', identity({ networkResources: [{ name: 'a' }, { name: 'b' }] }), {}],
  ],
  I4: [
    [
      'reports the existing ones',
      identity({
        networkResources: [
          { name: 'a', IPs: [] },
          { name: 'b', IPs: ['10.0.0.1'], FQDN: 'b.example' },
        ],
      }),
      { 'networkResources.a': 'the network resource "a" must have exactly one of IPs and FQDN, and has neither',
        'networkResources.b': 'the network resource "b" must have exactly one of IPs and FQDN, and has both' },
    ],
  ],
  I5: [
    ...['aws', 'gcp', 'azure', 'ngs'].flatMap((provider) => [
      [`accepts an account of ${provider}`, identity({ [provider]: account }), {},
        { others: [other('cloudaccount', 'main', { provider })] }] as const,
      [
        `refuses another one than ${provider}`,
        identity({ [provider]: account }),
        {
          [`${provider}.cloudAccountLink`]: `the cloud account "main" must be of the provider "${provider}", not "other"`,
        },
        { others: [other('cloudaccount', 'main', { provider: 'other' })] },
      ] as const,
    ]),
    ['accepts an account without it', identity({ aws: account }), {}, { others: [other('cloudaccount', 'main')] }],
    ['reports nothing about an unknown account', identity({ aws: account }), {}],
    ['reports nothing about a missing account', identity({ aws: account }), {}, { absent: ['cloudaccount/main'] }],
    ['leaves a link to another kind to link.target', identity({ aws: { cloudAccountLink: '//agent/main' } }), {},
      { others: [other('agent', 'main', { provider: 'gcp' })] }],
    ['accepts a block without a link', identity({ aws: {} }), {}],
  ],
});

// biome-ignore format: a row is a case
findings('ipset', {
  P1: [
    ...(
      [
        ['a GVC', '//gvc/shop', other('gvc', 'shop', { spec: { loadBalancer: { ipSet: '/org/acme/ipset/front' } } })],
        ['a workload', '//gvc/shop/workload/web', other('workload', 'web', addressed('//ipset/front'))],
      ] as const
    ).map(([it, link, target]) => [`accepts ${it} that names it`, ipSet(link), {}, { others: [target] }] as const),
    ['names both if the other one names nothing', ipSet('//gvc/shop'),
      { 'spec.link': 'gvc/shop must name the IP set "front" too' },
      { others: [other('gvc', 'shop', addressed('//ipset/front'))] }],
    ['names both if the other one names another', ipSet('//gvc/shop/workload/web'),
      { 'spec.link': 'workload/shop/web must name the IP set "front" too' },
      { others: [other('workload', 'web', addressed('//ipset/back'))] }],
    ['accepts an IP set without a link', ipSet(undefined), {}],
    ['reports nothing about an unknown record', ipSet('//gvc/shop'), {}],
    ['reports nothing about a missing record', ipSet('//gvc/shop'), {}, { absent: ['gvc/shop'] }],
    ['reports nothing without a name', { spec: { link: '//gvc/shop' } }, {}, { others: [other('gvc', 'shop')] }],
  ],
  'ipset.locations': [
    ['leaves a location without a name to the schema', { name: 'front', spec: { locations: [{}, {}] } }, {}],
    ['accepts different ones',
      { name: 'front', spec: { locations: [{ name: '//location/a' }, { name: '//location/b' }] } }, {}],
    ['names the location', { name: 'front', spec: { locations: [{ name: '//location/a' }, { name: '//location/a' }] } },
      { 'spec.locations.a.name': 'the location "a" may be listed only once' }],
  ],
});

test('the load balancer of a workload that names an IP set is the direct one (platform/ipset.addresses)', () => {
  const record = { spec: { loadBalancer: { direct: { enabled: true } } } };
  expect(balancerOf('gvc', record)).toEqual({ direct: { enabled: true } });
  expect(balancerOf('workload', record)).toEqual({ enabled: true });
});

const providers = { aws: 'roleArn', gcp: 'projectId', azure: 'secretLink', ngs: 'secretLink' };

// biome-ignore format: a row is a case
findings('cloudaccount', {
  'cloudaccount.data': [
    ...Object.entries(providers).flatMap(([provider, key]) => [
      [`accepts ${key} for ${provider} (platform/cloudaccount.data)`, { name: 'main', provider, data: { [key]: 'x' } },
        {}] as const,
      [
        `needs ${key} for ${provider}, and takes nothing else (platform/cloudaccount.data)`,
        {
          name: 'main',
          provider,
          data: Object.fromEntries(
            Object.values(providers)
              .filter((each) => each !== key)
              .map((each) => [each, 'x']),
          ),
        },
        {
          [`data.${key}`]: `a cloud account of ${provider} needs ${key}`,
          ...Object.fromEntries(
            Object.values(providers)
              .filter((each) => each !== key)
              .map((each) => [`data.${each}`, `${each} is not allowed in a cloud account of ${provider}`]),
          ),
        },
      ] as const,
    ]),
    ['leaves another provider to the schema', { name: 'main', provider: 'ibm', data: { roleArn: 'x' } }, {}],
  ],
  'cloudaccount.immutable': [
    ['names both providers', { name: 'main', provider: 'gcp', data: { projectId: 'p' } },
      { provider: 'the provider cannot be changed from "aws" to "gcp"' },
      { before: { name: 'main', provider: 'aws', data: { roleArn: 'r' } } }],
    ['checks the data if the provider is omitted', { name: 'main', provider: 'aws', data: { roleArn: 's' } },
      { data: 'the data of a cloud account cannot be changed' }, { before: { name: 'main', data: { roleArn: 'r' } } }],
    ['accepts another description', { name: 'main', provider: 'aws', data: { roleArn: 'r' }, description: 'd' }, {},
      { before: { name: 'main', provider: 'aws', data: { roleArn: 'r' } } }],
    ['accepts the link in another form, and nothing else',
      { name: 'main', provider: 'azure', data: { secretLink: '//secret/a', more: 1 } }, { data: 'cannot be changed' },
      { before: { name: 'main', provider: 'azure', data: { secretLink: '/org/acme/secret/a' } } }],
  ],
  S6: [
    ...(
      [
        ['azure', 'azure-connector', 'nats-account'],
        ['ngs', 'nats-account', 'azure-connector'],
      ] as const
    ).flatMap(([provider, right, wrong]) => [
      [`accepts ${right} for ${provider}`, { name: 'main', provider, data: { secretLink: '//secret/s' } }, {},
        { others: [other('secret', 's', { type: right })] }] as const,
      [`refuses ${wrong} for ${provider}`, { name: 'main', provider, data: { secretLink: '//secret/s' } },
        { 'data.secretLink': `the secret "s" must have the type ${right}, not "${wrong}"` },
        { others: [other('secret', 's', { type: wrong })] }] as const,
    ]),
    ['only applies to these two', { name: 'main', provider: 'aws', data: { secretLink: '//secret/s' } }, {},
      { others: [other('secret', 's', { type: 'opaque' })] }],
    ['reports nothing about a secret without a type',
      { name: 'main', provider: 'ngs', data: { secretLink: '//secret/s' } }, {}, { others: [other('secret', 's')] }],
    ['reports nothing about a missing secret',
      { name: 'main', provider: 'ngs', data: { secretLink: '//secret/s' } }, {}, { absent: ['secret/s'] }],
    ['reports nothing about an unknown secret',
      { name: 'main', provider: 'ngs', data: { secretLink: '//secret/s' } }, {}],
    ['leaves a link to another kind to link.target',
      { name: 'main', provider: 'ngs', data: { secretLink: '//gvc/shop' } }, {},
      { others: [other('gvc', 'shop', { type: 'opaque' })] }],
    ['accepts an account without a link', { name: 'main', provider: 'ngs', data: { secretLink: 1 } }, {}],
  ],
});

// biome-ignore format: a row is a case
findings('location', {
  'location.provider': [
    ['accepts a built-in one of a cloud', { name: 'aws-eu-north-1', provider: 'aws', origin: 'builtin' }, {}],
    ['accepts one without a provider (platform/location.own)', { name: 'aws-eu-north-1' }, {}],
    ['names the provider', { name: 'aws-eu-north-1', provider: 'aws' },
      { provider: 'a location of the provider "aws" cannot be created' }],
    ['names both providers', { name: 'home', provider: 'aws' }, { provider: 'cannot be changed from "byok" to "aws"' },
      { before: { name: 'home', provider: 'byok' } }],
    ['refuses to remove it', { name: 'home' }, { provider: 'the provider cannot be removed' },
      { before: { name: 'home', provider: 'byok' } }],
    ['accepts the first one', { name: 'home', provider: 'byok' }, {}, { before: { name: 'home' } }],
  ],
});
