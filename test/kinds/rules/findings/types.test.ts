import type { JsonObject } from '../../../../src/base/json/json.ts';
import { balancer, c, external, filter, http, main, of, options, scaled, scaling } from '../cases/workloadRecords.ts';
import { findings } from './findings.ts';

const types = ['serverless', 'standard', 'stateful', 'cron', 'vm'] as const;
const but = (...left: readonly string[]) => types.filter((type) => !left.includes(type));
const probes = { readinessProbe: { exec: {} }, livenessProbe: { exec: {} } };
const rollout = (rolloutOptions: JsonObject, tags: JsonObject = {}) => of('standard', {}, { rolloutOptions }, { tags });
const serverless = (...ports: readonly JsonObject[]) => of('serverless', { ports });
const variable = (name: string, value?: string | number) =>
  of('serverless', { env: [{ name: 'A' }, { name, ...(value === undefined ? {} : { value }) }] });
const timed = (timeoutSeconds: number, tags: JsonObject = {}, type = 'serverless') =>
  of(type, {}, { localOptions: [{ location: 'l', timeoutSeconds }] }, { tags });
const internal = (value: JsonObject) => of('standard', {}, { firewallConfig: { internal: value } });
const called = (name: string) => ({ name, spec: { type: 'standard', containers: [main] } });
const job = (value: JsonObject) => of('cron', {}, { job: { schedule: '0 2 * * *', ...value } });
const geo = (headers: JsonObject, enabled = true) => balancer('standard', { geoLocation: { enabled, headers } });

// biome-ignore format: a row is a case
findings('workload', {
  W1: [
    ['names both types', of('standard'), { 'spec.type': 'the type "serverless" cannot be changed to "standard"' },
      { before: of('serverless') }],
    ['accepts another change', of('standard', {}, {}, { description: 'b' }), {}, { before: of('standard') }],
  ],
  W6: [
    ...['http', 'http2', 'grpc'].map((protocol) => [`accepts ${protocol}`, serverless({ number: 80, protocol }),
        {}] as const),
    ...but('serverless').map((type) => [`is not about ${type}`, of(type, { ports: [] }), {}] as const),
    ['counts the ports', serverless({ number: 80 }, { number: 81 }), { 'spec.containers': 'this one serves 2' }],
    ['counts no port', serverless(), { 'spec.containers': 'this one serves 0' }],
    ['names the protocol', serverless({ number: 80, protocol: 'tcp' }),
      { [`${c}.ports.80.protocol`]: 'the port 80 has the protocol "tcp"' }],
  ],
  W7: [
    ['accepts the number as number', variable('PORT', 8080), {}],
    ['accepts other variables', variable('PORTS', 'many'), {}],
    ['names both', variable('PORT', '80'),
      { [`${c}.env.PORT.value`]: 'PORT must be 8080, the port of the container "main", not "80"' }],
    ['refuses a PORT without a value', variable('PORT'), { [`${c}.env.PORT.value`]: 'not nothing' }],
    ['only applies to serverless', of('standard', { ...http, env: [{ name: 'PORT', value: '1' }] }), {}],
    ['accepts a PORT if no port is', of('serverless', { ports: [], env: [{ name: 'PORT', value: '1' }] }), {}],
  ],
  W8: [...but('cron').map((type) => [`is not about ${type}`, scaled(type, { minScale: 0 }), {}] as const)],
  'W8.ports': [
    ...but('cron').map((type) => [`is not about ${type}`, of(type, { ports: [{ number: 80 }] }), {}] as const),
    ['names container and port', of('cron', { port: 80 }),
      { [`${c}.port`]: 'the container "main" of a cron workload cannot have the port 80' }],
  ],
  W9: [
    ...but('cron').map((type) => [`is not about ${type}`, of(type, probes), {}] as const),
    ['refuses both probes', of('cron', probes),
      { [`${c}.readinessProbe`]: 'cannot have a readinessProbe',
        [`${c}.livenessProbe`]: 'cannot have a livenessProbe' }],
  ],
  W10: but('cron').flatMap((type) => [
    [`accepts ${type} without a job`, of(type), {}] as const,
    [`refuses a job on ${type}`, of(type, {}, { job: { schedule: '* * * * *' } }),
      { 'spec.job': `a workload of the type "${type}" cannot have a job` }] as const,
  ]),
  W11: but('cron').map(
    (type) => [`is not about ${type}`, of(type, {}, { localOptions: [{ location: 'a' }] }), {}] as const,
  ),
  W12: [
    ...but('cron').map((type) => [`is not about ${type}`, of(type, { minCpu: '25m', minMemory: '32Mi' }), {}] as const),
    ['refuses both', of('cron', { minCpu: '25m', minMemory: '32Mi' }),
      { [`${c}.minCpu`]: 'the container "main" of a cron workload cannot have minCpu',
        [`${c}.minMemory`]: 'the container "main" of a cron workload cannot have minMemory' }],
  ],
  'W12.ignored': [
    ...but('cron').map((type) => [`is not about ${type}`, options(type, { timeoutSeconds: 5 }), {},
        { where: 'offline' }] as const),
    ['warns of each of the three', options('cron', { autoscaling: { minScale: 1 }, timeoutSeconds: 5, debug: true }),
      { [scaling]: 'autoscaling has no effect on a cron workload',
        'spec.defaultOptions.timeoutSeconds': 'timeoutSeconds has no effect',
        'spec.defaultOptions.debug': 'debug has no effect' }, { where: 'offline' }],
    ['accepts an empty autoscaling', options('cron', { autoscaling: {} }), {}, { where: 'offline' }],
    ['does not apply on the platform', options('cron', { debug: true }), {}, { where: 'server' }],
  ],
  W13: but('stateful').map((type) => [`is not about ${type}`, options(type, { capacityAI: true }), {}] as const),
  W34: [
    ...but('stateful').map((type) => [`refuses it on ${type}`, balancer(type, { replicaDirect: true }),
        { 'spec.loadBalancer.replicaDirect': `a workload of the type "${type}" cannot have replicaDirect` }] as const),
    ['accepts it if it is off', balancer('standard', { replicaDirect: false }), {}],
  ],
  W39: [['takes other options of a rollout', of('stateful', {}, { rolloutOptions: { minReadySeconds: 1 } }), {}]],
  W40: [
    ['accepts 3 characters', called('web'), {}],
    ['accepts 49 characters', called('a'.repeat(49)), {}],
    ['counts the characters of a short one', called('ab'),
      { name: '"ab" has 2 characters; a workload name must have 3 to 49' }],
    ['counts the characters of a long one', called('a'.repeat(50)), { name: 'has 50 characters' }],
    ...['Web', '1web', 'web-', 'we_b'].map((name) => [`refuses ${name}`, called(name),
        { name: 'is not a valid name' }] as const),
    ['refuses -headless at the end', called('web-headless'), { name: 'must not end with -headless' }],
    ['accepts a workload without a name: the schema reports it', { spec: { type: 'standard' } }, {}],
  ],
  'workload.timeout': [
    ['checks the options of locations', timed(601),
      { 'spec.localOptions.l.timeoutSeconds': 'timeoutSeconds is 601, a serverless workload may have at most 600' }],
    ['accepts 600', timed(600), {}],
    ['accepts more with the tag', timed(601, { 'scheme/timeoutSecondsOverride': '' }), {}],
    ...but('serverless').map((type) => [`is not about ${type} (platform/workload.options)`, timed(3600, {}, type),
        {}] as const),
    ['accepts options without a timeout', options('serverless', { suspend: true }), {}],
  ],
  'workload.grace-period': [
    ['accepts more with the tag',
      rollout({ terminationGracePeriodSeconds: 901 }, { 'scheme/relaxGracePeriodMax': true }),
      {}],
    ['refuses it if the tag is false',
      rollout({ terminationGracePeriodSeconds: 901 }, { 'scheme/relaxGracePeriodMax': 'false' }),
      { 'spec.rolloutOptions.terminationGracePeriodSeconds': 'is 901, at most 900' }],
    ['accepts a rollout without one', rollout({}), {}],
  ],
  W33: [
    ['does not count empty lists', filter({ allowedValues: [], blockedValues: ['b'] }), {}],
    [
      'reports both',
      filter({ allowedValues: ['a'], blockedValues: ['b'] }),
      {
        'spec.firewallConfig.external.http.inboundHeaderFilter.x-a':
          'the header filter for "x-a" must have exactly one of allowedValues and blockedValues, and has both',
      },
    ],
    [
      'reports that there is none',
      filter({ allowedValues: [] }),
      {
        'spec.firewallConfig.external.http.inboundHeaderFilter.x-a':
          'the header filter for "x-a" must have exactly one of allowedValues and blockedValues, and has neither',
      },
    ],
  ],
  W35: [
    ...['asn', 'city', 'country', 'region'].map((key) => [`is content with ${key}`, geo({ [key]: 'x-a' }),
        {}] as const),
    ['accepts no header if it is off', geo({}, false), {}],
    ['accepts a load balancer without it', balancer('standard', {}), {}],
    ['compares without case', geo({ asn: 'X-A', city: 'x-b', country: 'x-a', region: 'X-B' }),
      { 'spec.loadBalancer.geoLocation.headers.country': 'the header "x-a" may be named only once',
        'spec.loadBalancer.geoLocation.headers.region': 'the header "x-b" may be named only once' }],
    ['leaves a header that is not a string to the schema', geo({ asn: 1, city: 1 }), {}],
  ],
  'workload.cidr': ['inboundAllowCIDR', 'inboundBlockedCIDR', 'outboundAllowCIDR', 'outboundBlockedCIDR'].map(
    (list) =>
      [
        `checks each of ${list}`,
        external({ [list]: ['10.0.0.0/8', 'any', '::1'] }),
        { [`spec.firewallConfig.external.${list}.1`]: '"any" is not an IP address or a CIDR block' },
      ] as const,
  ),
  'workload.inbound-list': [
    ...['same-gvc', 'workload-list'].map(
      (inboundAllowType) =>
        [
          `accepts it with ${inboundAllowType} (platform/workload.firewall)`,
          internal({ inboundAllowType, inboundAllowWorkload: ['//gvc/a/workload/b'] }),
          {},
        ] as const,
    ),
    ...['none', 'same-org'].map(
      (inboundAllowType) =>
        [
          `warns of it with ${inboundAllowType} (platform/workload.firewall)`,
          internal({ inboundAllowType, inboundAllowWorkload: ['//gvc/a/workload/b'] }),
          {
            'spec.firewallConfig.internal.inboundAllowWorkload': `no effect with inboundAllowType "${inboundAllowType}"`,
          },
        ] as const,
    ),
    ['accepts an empty list', internal({ inboundAllowType: 'none', inboundAllowWorkload: [] }), {}],
  ],
  'workload.direct-ports': [
    ['names number and protocol',
      balancer('standard',
        { direct: { ports: [{ externalPort: 53, protocol: 'TCP' }, { externalPort: 53, protocol: 'TCP' }] } }),
      { 'spec.loadBalancer.direct.ports."53+TCP"': 'the port 53 TCP may be listed only once' }],
    ['accepts the same protocol on another port',
      balancer('standard',
        { direct: { ports: [{ externalPort: 53, protocol: 'TCP' }, { externalPort: 54, protocol: 'TCP' }] } }), {}],
  ],
  'cron.history-limit': [
    ['accepts the minimum and the maximum', job({ historyLimit: 1 }), {}],
    ['accepts none', job({}), {}],
    ['refuses 0', job({ historyLimit: 0 }), { 'spec.job.historyLimit': 'historyLimit must be 1 to 10, not 0' }],
  ],
  'cron.schedule': [
    ['does not apply on the platform (platform/cron.end)', job({ schedule: 'never' }), {}, { where: 'server' }],
    ['accepts a job without one: the schema reports it', of('cron', {}, { job: {} }), {}, { where: 'offline' }],
    ['shows it', job({ schedule: 'never' }), { 'spec.job.schedule': '"never" is not a cron expression' },
      { where: 'offline' }],
  ],
});
