import type { JsonObject } from '../../../../src/base/json/json.ts';
import { other } from '../ruleCase.ts';
import { findings } from './findings.ts';

const link = (name: string, gvc = 'shop') => `//gvc/${gvc}/workload/${name}`;
const of = (spec: JsonObject, name = 'www.example.com', fields: JsonObject = {}): JsonObject => ({
  name,
  ...fields,
  spec,
});
const ports = (...list: readonly JsonObject[]) => of({ ports: list });
const routed = (...routes: readonly JsonObject[]) =>
  ports({ number: 443, routes: routes.map((route) => ({ workloadLink: link('web'), ...route })) });
const route = (value: JsonObject) => routed({ prefix: '/', ...value });
const at = 'spec.ports.443';
const first = `${at}.routes."/"`;
const workload = (name: string, type: string | undefined, ...served: readonly number[]) =>
  other('workload', name, {
    spec: {
      ...(type === undefined ? {} : { type }),
      containers: served.map((number) => ({ name: `c${number}`, ports: [{ number }] })),
    },
  });
const direct = (spec: JsonObject) => of({ workloadLink: link('db'), ...spec });
const toDb = { number: 443, routes: [{ workloadLink: link('db') }] };
const routes = (count: number) => Array.from({ length: count }, (_, n) => ({ prefix: `/${n}` }));

// biome-ignore format: a row is a case
findings('domain', {
  D2: [
    ['accepts a gvcLink alone', of({ gvcLink: '//gvc/shop', ports: [{ number: 80 }, { number: 443 }] }), {}],
    ['refuses it beside both others',
      of({ gvcLink: '//gvc/shop', workloadLink: link('db'), ports: [{ number: 80 }, { number: 443, routes: [{}] }] }),
      { 'spec.gvcLink': ['cannot be combined with workloadLink', 'cannot be combined with routes'] }],
    ['accepts a workloadLink cannot be combined with routes', direct({ ports: [toDb] }), {}],
  ],
  D3: [
    [
      'names both GVCs, for routes, mirrors and canaries',
      routed(
        { prefix: '/a' },
        { prefix: '/b', workloadLink: link('api', 'two') },
        { prefix: '/c', mirror: [{ workloadLink: link('m', 'three') }] },
        { prefix: '/d', canaries: [{ workloadLink: link('n', 'four') }] },
      ),
      {
        [`${at}.routes."/b".workloadLink`]: 'the workload "api" must be in the GVC "shop" as others are, not in "two"',
        [`${at}.routes."/c".mirror.m.workloadLink`]:
          'the workload "m" must be in the GVC "shop" as others are, not in "three"',
        [`${at}.routes."/d".canaries.n.workloadLink`]:
          'the workload "n" must be in the GVC "shop" as others are, not in "four"',
      },
    ],
    ['leaves invalid links to link.target',
      routed({}, { prefix: '/b', workloadLink: '//gvc/other' }, { prefix: '/c', workloadLink: 1 }), {}],
  ],
  D7: [
    ['only applies to workloadLink', of({ certChallengeType: 'http01', ports: [{ number: 443 }] }), {}],
    ['counts the routes of each port',
      direct({ ports: [{ number: 80 }, { number: 443, routes: [{ prefix: '/a' }, { prefix: '/b' }] },
            { ...toDb, number: 8443 }] }),
      { 'spec.ports.80': 'the port 80 has 0 routes', [at]: 'the port 443 has 2 routes' }],
    ['refuses a route that has no target', direct({ ports: [{ number: 443, routes: [{ prefix: '/' }] }] }),
      { [`${first}.workloadLink`]: `the route must go to "${link('db')}"` }],
    ['names the workload and its type', direct({ ports: [toDb] }),
      { 'spec.workloadLink': 'the workload "db" must be stateful, not standard' },
      { others: [workload('db', 'standard')] }],
    ['accepts a workload without a type for serverless', direct({ ports: [toDb] }),
      { 'spec.workloadLink': 'the workload "db" must be stateful, not serverless' },
      { others: [workload('db', undefined)] }],
    ['reports nothing about a missing workload', direct({ ports: [toDb] }), {},
      { absent: ['workload/shop/db'] }],
    ['leaves invalid links to link.target',
      of({ workloadLink: '//gvc/shop', ports: [{ number: 443, routes: [{ workloadLink: '//gvc/shop' }] }] }), {}],
  ],
  D9: [
    ['accepts a route without a host', route({}), {}],
    ['refuses both, and either without a switch',
      routed({ prefix: '/a', hostPrefix: 'a.', hostRegex: 'b' }, { prefix: '/b', hostRegex: 'b' }),
      { [`${at}.routes."/a+a."`]: 'hostPrefix and hostRegex cannot be combined',
        [`${at}.routes."/a+a.".hostPrefix`]: 'a hostPrefix needs acceptAllHosts',
        [`${at}.routes."/b+b".hostRegex`]: 'a hostRegex needs acceptAllHosts' }],
    ['accepts one with all hosts', of({ acceptAllHosts: true, ports: [{ routes: [{ hostPrefix: 'a.' }] }] }), {}],
    ['accepts one with all subdomains', of({ acceptAllSubdomains: true, ports: [{ routes: [{ hostPrefix: 'a.' }] }] }),
      {}],
  ],
  D10: [
    ['distinguishes a regex from a prefix of the same text, and hosts from each other',
      routed({ prefix: '/a' }, { regex: '/a' }, { prefix: '/a', hostPrefix: 'x' }, { prefix: '/a', hostRegex: 'x' },
        { prefix: '/a', hostPrefix: 'y' }), {}],
    ['accepts the same route on two ports',
      ports({ number: 80, routes: [{ prefix: '/a' }] }, { number: 443, routes: [{ prefix: '/a' }] }), {}],
    ['names port and regex', routed({ regex: '/b' }, { regex: '/b' }),
      { [`${at}.routes."/b"`]: 'two routes of the port 443 must not match the same ("/b")' }],
    ['names port and prefix', routed({ prefix: '/b' }, { prefix: '/b' }),
      { [`${at}.routes."/b"`]: 'two routes of the port 443 must not match the same ("/b")' }],
    ['names the root if nothing is declared', routed({}, {}), { [first]: 'must not match the same ("/")' }],
  ],
  D19: [
    ['accepts a route to any replica', route({}), {}, { others: [workload('web', 'standard')] }],
    ['accepts a stateful workload', route({ replica: 0 }), {}, { others: [workload('web', 'stateful')] }],
    ['names the workload and its type', route({ replica: 0 }),
      { [`${first}.replica`]: 'the workload "web" must be stateful, as a standard one has no numbered replicas' },
      { others: [workload('web', 'standard')] }],
    ['reports nothing about a missing workload', route({ replica: 0 }), {}, { absent: ['workload/shop/web'] }],
    ['reports nothing without a link', route({ replica: 0, workloadLink: 1 }), {}],
  ],
  'domain.route-port': [
    ['checks each container', route({ port: 81 }), {}, { others: [workload('web', 'standard', 80, 81)] }],
    ['accepts a route without a port', route({}), {}, { others: [workload('web', 'standard', 80)] }],
    ['reports nothing without a link', route({ port: 81, workloadLink: 1 }), {}],
    ['reports nothing about a missing workload', route({ port: 81 }), {}, { absent: ['workload/shop/web'] }],
    ['names workload and port', route({ port: 82 }), { [`${first}.port`]: 'the workload "web" must serve the port 82' },
      { others: [workload('web', 'standard', 80, 81)] }],
  ],
  'domain.route-form': [
    ...['a', '/a?', '/a b', 'x/a', '/ä', '/a\n'].map(
      (prefix) =>
        [
          `refuses the prefix ${JSON.stringify(prefix)}`,
          routed({ prefix }),
          {
            [`${at}.routes.${/^\w+$/.test(prefix) ? prefix : JSON.stringify(prefix)}.prefix`]:
              'is not a prefix of a path',
          },
        ] as const,
    ),
    ...['', 'a-b_c.', '0'].map((hostPrefix) => [`accepts the host prefix "${hostPrefix}"`, route({ hostPrefix }),
        {}] as const),
    ...['a/', '/a', 'a b'].map((hostPrefix) => [`refuses the host prefix "${hostPrefix}"`, route({ hostPrefix }),
        { [`${at}.routes."/+${hostPrefix}".hostPrefix`]: 'is not a prefix of a host name' }] as const),
    ...['(?i)a', '(?sm)a', '(?P<id>a)', '(?<id>a)', 'a(?:b|c)+', '\\d', '\\0'].map(
      (regex) => [`accepts the regex ${regex}`, routed({ regex }), {}] as const,
    ),
    ...['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '(a)\\1', '(', 'a(?i)b'].map((regex) => [`refuses the regex ${regex}`,
        of({ ports: [{ number: 443, routes: [{ prefix: '/', hostRegex: regex }] }] }),
        { [`${at}.routes.${JSON.stringify(`/+${regex}`)}.hostRegex`]: 'is not a regular expression (RE2)' }] as const),
    ['accepts replacePrefix without a regex', route({ replacePrefix: '/' }), {}],
  ],
  'domain.route-count': [
    ['counts over all ports', ports({ number: 80, routes: routes(100) }, { number: 443, routes: routes(51) }),
      { 'spec.ports': 'the domain has 151 routes, at most 150' }],
    ['accepts 200 with the tag',
      of({ ports: [{ routes: routes(200) }] }, undefined, { tags: { 'scheme/routeLimitOverride': '' } }), {}],
    ['refuses 201 with the tag',
      of({ ports: [{ routes: routes(201) }] }, undefined, { tags: { 'scheme/routeLimitOverride': '' } }),
      { 'spec.ports': 'at most 200' }],
  ],
  'domain.canaries': [
    ['names the sum',
      route({ canaries: [{ workloadLink: link('a'), weight: 60 }, { workloadLink: link('b'), weight: 41 },
            { workloadLink: link('c') }] }),
      { [`${first}.canaries`]: 'the weights must add up to at most 100, not 101' }],
    ['refuses them on tcp',
      ports({ number: 443, protocol: 'tcp', routes: [{ prefix: '/', canaries: [{ weight: 1 }] }] }),
      { [`${first}.canaries`]: 'a tcp port cannot have canaries' }],
    ['accepts tcp without any', ports({ number: 443, protocol: 'tcp', routes: [{ prefix: '/' }] }), {}],
  ],
  'domain.header-token': [
    ...[
      '%REQUESTED_SERVER_NAME%',
      '%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%',
      '%START_TIME%',
      '%%PROTOCOL%%',
      '%START_TIME%%REQUESTED_SERVER_NAME%',
      '100%%%START_TIME%',
      '100%',
      '%a%',
      'plain',
    ].map((text) => [`accepts ${text}`, route({ headers: { request: { set: { 'x-a': text } } } }), {}] as const),
    ['names each invalid token',
      route({ headers: { request: { set: { 'x-a': '%START_TIME%%PROTOCOL% %HOST(a)%', 'x-b': 1 } } } }),
      { [`${first}.headers.request.set.x-a`]: ['"%PROTOCOL%" is not', '"%HOST(a)%" is not'] }],
  ],
});
