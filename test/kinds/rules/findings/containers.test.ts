import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { amountsOf, otherPorts, portProblem, servedPorts } from '../../../../src/kinds/workload/workloadView.ts';
import { c, external, http, main, mounts, of, probe, withContainers } from '../cases/workloadRecords.ts';
import { findings } from './findings.ts';

const image = (text: string) => of('standard', { image: text });
const variables = (...env: readonly JsonObject[]) => of('standard', { env });
const direct = (port: JsonObject) =>
  of('standard', {}, { loadBalancer: { direct: { ports: [{ externalPort: 53, protocol: 'TCP', ...port }] } } });
const outbound = (port: JsonObject) => external({ outboundAllowPort: [{ protocol: 'tcp', ...port }] });
const disk = { uri: 's3://a', name: 'root', bus: 'virtio', bootOrder: 1 };

// biome-ignore format: a row is a case
findings('workload', {
  W2: [
    ['accepts a vm without containers (platform/workload.types)',
      { name: 'vm', spec: { type: 'vm', containers: [] } }, {}],
    ['counts the containers of a vm too',
      { name: 'vm', spec: { type: 'vm', containers: Array.from({ length: 9 }, (_, n) => ({ name: `c${n}` })) } },
      { 'spec.containers': 'the workload has 9 containers' }],
    ['counts a value that is not a list as none',
      { name: 'web', spec: { type: 'standard', containers: {} } }, { 'spec.containers': '0' }],
    ['accepts a name of 64 characters', withContainers({ name: 'a'.repeat(64) }), {}],
    ['accepts a name of 2 characters', withContainers({ name: 'ab' }), {}],
    ['accepts a container whose name is missing: the schema reports it', withContainers({}), {}],
    ...['a'.repeat(65), 'a', 'Main', '1a', 'a-'].map((name) => [`refuses ${name}`, withContainers({ name }),
        { [`spec.containers.${name}.name`]: 'not a valid name' }] as const),
    ...['queue-proxy', 'debugger-1', 'scheme-a'].map((name) => [`refuses ${name}`, withContainers({ name }),
        { [`spec.containers.${name}.name`]: 'is reserved' }] as const),
  ],
  W3: [
    ['accepts port beside an empty list', of('standard', { port: 8080, ports: [] }), {}],
    ['accepts ports alone', of('standard', { ports: [{ number: 8080 }] }), {}],
  ],
  W4: [
    [
      'names both containers',
      withContainers(http, { name: 'side', ports: [{ number: 8080 }] }),
      {
        'spec.containers.side.ports.8080.number': 'the port 8080 of the container "side" must not be one of "main" too',
      },
    ],
    ['does not compare ports without a number', of('standard', { ports: [{ protocol: 'tcp' }, { protocol: 'http' }] }),
      {}],
    ['names a container without a name by its place', withContainers(http, { port: 8080 }),
      { 'spec.containers.1.port': 'of the container 1 must not be one of "main" too' }],
  ],
  W5: [
    ['accepts the last outbound port', outbound({ number: 65_000 }), {}],
    ['refuses a reserved outbound port', outbound({ number: 9090 }),
      { [`${'spec.firewallConfig.external'}.outboundAllowPort."tcp+9090".number`]: 'is reserved' }],
    ['accepts an outbound port without a number: the schema reports it', outbound({}), {}],
    ['accepts the last port of a direct load balancer', direct({ containerPort: 65_535 }), {}],
    ['refuses one more', direct({ containerPort: 65_536 }),
      { 'spec.loadBalancer.direct.ports."53+TCP".containerPort': 'the port 65536 must be between 80 and 65535' }],
    ['accepts a direct port without one of the container', direct({}), {}],
    [
      'checks every handler of both probes, and metrics',
      of('standard', {
        metrics: { port: 9090 },
        readinessProbe: { grpc: { port: 9091 } },
        livenessProbe: { tcpSocket: { port: 15_000 }, httpGet: { port: 15_001 } },
      }),
      {
        [`${c}.metrics.port`]: 'the port 9090 is reserved by the platform (container "main")',
        [`${c}.readinessProbe.grpc.port`]: '9091',
        [`${c}.livenessProbe.tcpSocket.port`]: '15000',
        [`${c}.livenessProbe.httpGet.port`]: '15001',
      },
    ],
  ],
  W27: [
    ['accepts a container without probes', of('standard'), {}],
    [
      'names the handlers of each probe',
      of('standard', { readinessProbe: { exec: {}, grpc: {} }, livenessProbe: {} }),
      {
        [`${c}.readinessProbe`]:
          'the readinessProbe of the container "main" must have exactly one handler, and has exec and grpc',
        [`${c}.livenessProbe`]: 'the livenessProbe of the container "main" must have exactly one handler, and has none',
      },
    ],
    ...['exec', 'grpc', 'tcpSocket', 'httpGet'].map((handler) => [`accepts ${handler}`, probe({ [handler]: {} }),
        {}] as const),
  ],
  W28: [
    ...['/dev', '/dev/log', '/tmp/', '/var', '/var/log//'].map((path) => [`refuses ${path} (platform/workload.volumes)`,
        mounts(['s3://a', path]), { [`${c}.volumes."${path}".path`]: 'is reserved' }] as const),
    ...['/', '/dev/shm', '/data/'].map((path) => [`accepts ${path}`, mounts(['s3://a', path]), {}] as const),
    ['accepts the disk of a vm, which has no path (platform/workload.types)', of('vm', { volumes: [disk] }), {}],
    ['checks the volumes of the proxy',
      of('standard', {}, { sidecar: { proxy: { volumes: [{ uri: 's3://a', path: 'a' }] } } }),
      { 'spec.sidecar.proxy.volumes.a.path': 'the path "a" must be absolute' }],
  ],
  W29: [
    ['finds the inner one at any position, and paths below the root',
      mounts(['s3://a', '/a/b/'], ['s3://b', '/']),
      { [`${c}.volumes."/a/b/".path`]: 'the path "/a/b" must not be inside "/"' }],
    ['names the later one of two at the same path', mounts(['s3://a', '/a'], ['s3://b', '/a/']),
      { [`${c}.volumes."/a/".path`]: 'two volumes cannot be mounted at "/a"' }],
    ['accepts disks of a vm', of('vm', { volumes: [disk, { ...disk, path: '/a' }, { ...disk, name: 'other' }] }), {}],
  ],
  W30: [
    ...['s3://a', 'gs://a', 'azureblob://a', 'azurefs://a', 'scratch://a', 'k8s://a', 'scheme://secret/a.b.c'].map(
      (uri) => [`accepts ${uri} (platform/workload.volumes)`, mounts([uri, '/a']), {}] as const,
    ),
    ...[
      's3',
      's3:/a',
      'x-s3://a',
      'scheme://volumeset/a/b',
      'scheme://volumeset/',
      'scheme://secret',
      'ascheme://secret/a',
      'scheme://secret/a/b',
      'scheme://gvc/a',
    ].map(
      (uri) =>
        [`refuses ${uri}`, mounts([uri, '/a']), { [`${c}.volumes."/a".uri`]: `"${uri}" is not a volume URI` }] as const,
    ),
    ['accepts a volume without a uri: the schema reports it', of('standard', { volumes: [{ path: '/a' }] }), {}],
  ],
  W32: [
    ['accepts a name of 120 characters', variables({ name: 'A'.repeat(120) }), {}],
    ['refuses a name of 121 characters', variables({ name: 'A'.repeat(121) }),
      { [`${c}.env.${'A'.repeat(121)}.name`]: 'the name has 121 characters, at most 120' }],
    ...['SCHEME_ORG', 'scheme_org', 'k_service', 'K_CONFIGURATION', 'K_REVISION'].map(
      (name) =>
        [
          `reserves ${name} (platform/gvc.env)`,
          variables({ name }),
          { [`${c}.env.${name}.name`]: 'is reserved' },
        ] as const,
    ),
    ...['_SCHEME_A', 'SCHEME', 'K_SERVICES', 'a-b.c_D9'].map((name) => [`accepts ${name}`, variables({ name }),
        {}] as const),
    ...['A B', '9A', ''].map((name) => [`refuses ${JSON.stringify(name)}`, variables({ name }),
        { [`${c}.env.${/^\w+$/.test(name) ? name : JSON.stringify(name)}.name`]: 'is not a valid name' }] as const),
    ['refuses a variable that is set twice',
      variables({ name: 'A', value: '1' }, { name: 'B' }, { name: 'A', value: '2' }),
      { [`${c}.env.A`]: 'the variable "A" may be set only once' }],
    ['accepts a variable without a name: the schema reports it', variables({ value: '1' }, { value: '2' }), {}],
    ['reports the fix for a long value', variables({ name: 'A', value: 'x'.repeat(4097) }),
      { [`${c}.env.A.value`]: 'the value has 4097 characters, at most 4096 are allowed Shorten it.' }],
  ],
  'workload.image-needed': [['takes one that is there', of('standard'), {}]],
  'workload.volume-path': [
    ['accepts one that exists', mounts(['s3://a', '/a']), {}],
    ['counts from one', of('standard', { volumes: [{ uri: 's3://a', path: '/a' }, { uri: 's3://b' }] }),
      { [`${c}.volumes.1.path`]: 'the volume 2 of the container "main" needs a path' }],
  ],
  'workload.disk': [
    ['refuses a single one', of('cron', { volumes: [{ uri: 's3://a', path: '/a', bus: 'virtio' }] }),
      { [`${c}.volumes."/a".bus`]: 'a volume of a cron workload cannot have bus' }],
    ['refuses each of the three', of('stateful', { volumes: [{ ...disk, path: '/a' }] }),
      Object.fromEntries(['name', 'bus', 'bootOrder'].map((key) => [`${c}.volumes."/a".${key}`,
            `a volume of a stateful workload cannot have ${key}`]))],
  ],
  'workload.image': [
    ...['web:1', 'registry.example.com:5000/web:1', 'web@sha256:0', '//image/web', '/org/acme/image/shop/web:1'].map(
      (text) => [`accepts ${text} (platform/workload.images)`, image(text), {}] as const,
    ),
    ...(
      [
        ['', 'must not be empty or contain white space'],
        ['web 1', 'must not be empty or contain white space'],
        ['a:b:c:d', 'must not contain more than two colons'],
        ['/web:1', 'is not a link to an image'],
        ['/x//image/web:1', 'is not a link to an image'],
        ['/org//image/web:1', 'is not a link to an image'],
        ['/org/other/image/web:1', 'must not be one of the org "other"'],
        ['//image/:1', 'must not have an empty name or tag'],
        ['//image/web:', 'must not have an empty name or tag'],
      ] as const
    ).map(
      ([text, why]) =>
        [
          `refuses ${JSON.stringify(text)}`,
          image(text),
          { [`${c}.image`]: `the image "${text}" of the container "main" ${why}` },
        ] as const,
    ),
    ['accepts a vm without an image', of('vm', { image: 1 }), {}],
  ],
  'workload.probe-path': [
    ['accepts none', of('standard', { readinessProbe: { httpGet: {} } }), {}, { where: 'offline' }],
    ['does not apply on the platform', of('standard', { readinessProbe: { httpGet: { path: 'ready' } } }), {},
      { where: 'server' }],
  ],
  'workload.probe-port': [
    ['accepts the port of another container: all of them share one network',
      withContainers({ ...main, readinessProbe: { grpc: { port: 9000 } } },
        { name: 'side', ports: [{ number: 9000 }] }), {}, { where: 'offline' }],
    ['accepts the legacy port',
      of('standard', { port: 8080, readinessProbe: { httpGet: { port: 8080 } } }), {}, { where: 'offline' }],
    ['does not check a command',
      of('standard', { readinessProbe: { exec: { command: ['true'] } } }), {}, { where: 'offline' }],
    ['does not apply on the platform',
      of('standard', { readinessProbe: { httpGet: { port: 9999 } } }), {}, { where: 'server' }],
  ],
  'deprecated.container-port': [
    ['accepts ports', withContainers(http), {}, { where: 'offline' }],
    ['accepts the legacy port if the platform stores it', of('standard', { port: 8080 }), {}, { where: 'server' }],
  ],
});

findings('gvc', {
  W28: [
    [
      'checks the volumes of the proxy',
      { name: 'shop', spec: { sidecar: { proxy: { volumes: [{ uri: 's3://a', path: '/tmp' }] } } } },
      { 'spec.sidecar.proxy.volumes."/tmp".path': 'is reserved' },
    ],
    ['has no containers to look at', { name: 'shop', spec: { containers: [{ volumes: [{ path: 'a' }] }] } }, {}],
  ],
});

test('ports are those that have a number; http is the protocol of those without one', () => {
  expect(servedPorts({ port: 80, ports: [{ number: 81, protocol: 'tcp' }, {}, { number: 82 }] }, ['at'])).toEqual([
    { number: 80, pointer: ['at', 'port'], protocol: 'http' },
    { number: 81, pointer: ['at', 'ports', 0, 'number'], protocol: 'tcp' },
    { number: 82, pointer: ['at', 'ports', 2, 'number'], protocol: 'http' },
  ]);
  expect(otherPorts({ metrics: {}, readinessProbe: { grpc: {} } }, [])).toEqual([]);
});

test.each([
  [80, true],
  [65_535, true],
  [79, false],
  [65_536, false],
  [80.5, false],
  [41_000, false],
])('the port %d can be used: %s (platform/workload.ports)', (port, usable) => {
  expect(portProblem(port) === undefined).toBe(usable);
});

test("omitted amounts are the platform's defaults, invalid ones are none (platform/workload.containers)", () => {
  const mebibyte = 1024 * 1024;
  expect(amountsOf(main)).toEqual({ cpu: 50, memory: 128 * mebibyte, minCpu: undefined, minMemory: undefined });
  expect(amountsOf({ cpu: 2, memory: 1024, minCpu: '0.5', minMemory: '64Mi' })).toEqual({
    cpu: 2000,
    memory: 1024,
    minCpu: 500,
    minMemory: 64 * mebibyte,
  });
  expect(amountsOf({ cpu: ['1'], memory: 'much', minCpu: true, minMemory: null })).toEqual({});
});
