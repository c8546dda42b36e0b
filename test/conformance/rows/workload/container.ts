import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { absentOr, checkField, fieldRow, problemPaths } from '../../harness/fieldRows.ts';
import { container, makeVolumeSet, makeWorkload, specOf, stateful, town } from '../../harness/fixtures.ts';
import { at } from '../../harness/place.ts';
import { type Part, parted, partOf, type Row, row } from '../../harness/row.ts';
import { containerIn } from '../../harness/subjects.ts';
import type { Wire } from '../../harness/wire.ts';

const standard = containerIn('standard');

/** Demands that a workload whose container has these members is refused, with a problem at the member. */
async function refusedIn(wire: Wire, type: string, more: JsonObject, member: string): Promise<void> {
  const spec = specOf(type, { containers: [container(more)] });
  const error = await wire.refused(400, 'POST', `gvc/${await town(wire)}/workload`, { name: wire.name('work'), spec });
  expect(problemPaths(error)).toContain(member);
}

async function created(wire: Wire, type: string, more: JsonObject): Promise<JsonValue | undefined> {
  const workload = await makeWorkload(wire, await town(wire), specOf(type, { containers: [container(more)] }));
  return at(await wire.get(workload), 'spec/containers/0');
}

// biome-ignore format: one case a line
export const containerRows: readonly Row[] = [
  row('workload.containers/name', 'a container has a name, which must not be reserved', async (wire) => {
    expect(await created(wire, 'standard', { name: 'front' })).toMatchObject({ name: 'front' });
    for (const name of ['scheme-x', 'debugger-x', 'queue-proxy', 'Front', 'a']) {
      await refusedIn(wire, 'standard', { name }, 'name');
    }
  }),
  row('workload.containers/image', 'image is a reference, or a link to an image, stored in full', async (wire) => {
      expect(await created(wire, 'standard', { image: 'host.example.com/shop/web:2' })).toMatchObject({
        image: 'host.example.com/shop/web:2',
      });
      expect(await created(wire, 'standard', { image: '//image/web:2' })).toMatchObject({
        image: '/org/local/image/web:2',
      });
      await refusedIn(wire, 'standard', { image: '/org/other/image/web:2' }, 'image');
  }),
  fieldRow('workload.containers/workingDir', 'workingDir is an absolute path', standard, 'workingDir',
    { value: '/srv', next: '/app', wrong: 'srv' }),
  fieldRow('workload.containers/metrics', 'metrics has port, path and dropMetrics', standard, 'metrics',
    { value: { port: 9102, path: '/metrics', dropMetrics: ['go_.*'] }, next: { path: '/stats' },
      nextStored: { port: 9102, path: '/stats', dropMetrics: ['go_.*'] }, wrong: 'on' }),
  row('workload.containers/port', 'port is the older form of a single port, and excludes ports', async (wire) => {
    const workload = await makeWorkload(
      wire,
      await town(wire),
      specOf('serverless', { containers: [{ name: 'main', image: 'shop/web:1', port: 8080 }] }),
    );
    const shown = at(await wire.get(workload), 'spec/containers/0');
    expect(at(shown, 'port') ?? at(shown, 'ports/0/number')).toBe(8080);
    await refusedIn(wire, 'standard', { port: 8081 }, 'port');
  }),
  parted(
    'workload.containers/ports',
    'ports have a protocol and a number',
    ...['http', 'http2', 'grpc', 'tcp'].map(
      (protocol): Part => [
        `a port may speak ${protocol}`,
        (wire) => checkField(wire, standard, 'ports', { value: [{ protocol, number: 8080 }] }),
      ],
    ),
    [
      'a port speaks http by default',
      (wire) =>
        checkField(wire, standard, 'ports', {
          value: [{ number: 8080 }],
          stored: [{ protocol: 'http', number: 8080 }],
        }),
    ],
    partOf('another protocol, a reserved port and one below 80 are refused', async (wire) => {
      for (const port of [{ protocol: 'udp', number: 8080 }, { number: 15001 }, { number: 79 }, { number: 65536 }]) {
        await refusedIn(wire, 'standard', { ports: [port] }, 'ports');
      }
    }),
  ),
  fieldRow('workload.containers/memory', 'memory is an amount of at least 32Mi', standard, 'memory',
    { value: '256Mi', next: '300Mi', wrong: '31Mi' }),
  fieldRow('workload.containers/cpu', 'cpu is an amount of at least 25m', standard, 'cpu',
    { value: '100m', next: '0.2', wrong: '24m' }),
  row(
    'workload.containers/defaults',
    'a container has 128Mi of memory, 50m of cpu and its own environment by default',
    async (wire) => {
      expect(await created(wire, 'standard', {})).toMatchObject({ memory: '128Mi', cpu: '50m', inheritEnv: false });
    },
  ),
  fieldRow('workload.containers/minCpu', 'minCpu is at most cpu',
    containerIn('stateful', { cpu: '200m' }), 'minCpu', { value: '50m', next: '100m', wrong: '201m' }),
  fieldRow('workload.containers/minMemory', 'minMemory is at most memory',
    containerIn('stateful', { memory: '256Mi', cpu: '50m' }), 'minMemory',
    { value: '64Mi', next: '128Mi', wrong: '257Mi' }),
  fieldRow('workload.containers/readinessProbe', 'readinessProbe is a probe', standard, 'readinessProbe',
    { value: { tcpSocket: { port: 8080 } }, next: { periodSeconds: 20 }, wrong: { port: 8080 } }),
  fieldRow('workload.containers/livenessProbe', 'livenessProbe is a probe', standard, 'livenessProbe',
    { value: { exec: { command: ['true'] } }, next: { periodSeconds: 20 }, wrong: 'always' }),
  row('workload.containers/probe defaults', 'probes that were not sent are absent for every type', async (wire) => {
      for (const type of ['serverless', 'standard', 'stateful']) {
        const shown = await created(wire, type, {});
        expect([at(shown, 'readinessProbe'), at(shown, 'livenessProbe')]).toEqual([undefined, undefined]);
      }
  }),
  fieldRow('workload.containers/env', 'env is a list of names and values', standard, 'env',
    { value: [{ name: 'A', value: '1' }], next: [{ name: 'A', value: '2' }],
      wrong: [{ name: 'SCHEME_ORG', value: 'x' }] }),
  fieldRow('workload.containers/inheritEnv', 'inheritEnv is a boolean', standard, 'inheritEnv',
    { value: true, next: false, wrong: 'no way' }),
  fieldRow('workload.containers/command', 'command is one string', standard, 'command',
    { value: 'serve', next: 'run', wrong: ['serve'] }),
  fieldRow('workload.containers/args', 'args is a list of strings in their order', standard, 'args',
    { value: ['b', 'a', 'b'], next: ['a'], wrong: 'a b' }),
  parted('workload.containers/gpu', 'gpu is nvidia or custom',
    ['gpu.nvidia has a model and a quantity', (wire) => checkField(wire,
      containerIn('standard', { cpu: '2', memory: '7Gi' }), 'gpu',
      { value: { nvidia: { model: 't4', quantity: 1 } } })],
    ['gpu.nvidia.model is an object', (wire) => checkField(wire,
      containerIn('standard', { cpu: '2', memory: '7Gi' }), 'gpu',
      { value: { nvidia: { model: { name: 't4' }, quantity: 1 } },
        next: { nvidia: { model: { name: 'a10g', size: 1 }, quantity: 1 } },
        wrong: { nvidia: { model: 7, quantity: 1 } } })],
    ['gpu.custom has a resource, a runtime class and a quantity', (wire) => checkField(wire, standard, 'gpu',
      { value: { custom: { resource: 'vendor.example/gpu', runtimeClass: 'fast', quantity: 2 } }, wrong: { custom: {
        resource: 'vendor.example/gpu', quantity: 'many' } } })]),
  fieldRow('workload.containers/lifecycle', 'lifecycle has commands after the start and before the stop', standard,
    'lifecycle',
    { value: { postStart: { exec: { command: ['echo', 'up'] } }, preStop: { exec: { command: ['echo', 'down'] } } },
      next: { preStop: { exec: { command: ['sleep', '5'] } } }, wrong: { postStart: { command: ['echo'] } } }),
  parted(
    'workload.containers/volumes',
    'volumes have uri, path and recoveryPolicy',
    [
      'a volume has uri, path and recoveryPolicy',
      (wire) =>
        checkField(wire, standard, 'volumes', {
          value: [{ uri: 's3://bucket', path: '/mnt/bucket', recoveryPolicy: 'retain' }],
          wrong: [{ uri: 'ftp://bucket', path: '/mnt/bucket' }],
        }),
    ],
    partOf('a volume set is mounted by its uri', async (wire) => {
      const gvc = await town(wire);
      const name = await makeVolumeSet(wire, gvc);
      const workload = await makeWorkload(wire, gvc, stateful(name));
      expect(at(await wire.get(workload), 'spec/containers/0/volumes/0')).toMatchObject({
        uri: `scheme://volumeset/${name}`,
        path: '/data',
      });
    }),
  ),
  ...probeRows(),
];

function probeRows(): readonly Row[] {
  const probed = containerIn('standard', { readinessProbe: { tcpSocket: { port: 8080 } } });
  const numbers = {
    initialDelaySeconds: 601,
    periodSeconds: 0,
    timeoutSeconds: 0,
    successThreshold: 21,
    failureThreshold: 0,
  };
  // biome-ignore format: a row is a case
  return [
    fieldRow('workload.containers/probe exec', 'a probe may run a command', standard, 'readinessProbe',
      { value: { exec: { command: ['cat', '/ready'] } }, wrong: { exec: { command: 'cat' } } }),
    fieldRow('workload.containers/probe grpc', 'a probe may call a gRPC port', standard, 'readinessProbe',
      { value: { grpc: { port: 8080 } }, wrong: { grpc: { port: 'web' } } }),
    fieldRow('workload.containers/probe tcpSocket', 'a probe may connect to a port', standard, 'readinessProbe',
      { value: { tcpSocket: { port: 8080 } }, wrong: { tcpSocket: [] } }),
    fieldRow('workload.containers/probe httpGet', 'a probe may get a path, with headers', standard,
      'readinessProbe/httpGet',
      { value: { path: '/', port: 8080, scheme: 'HTTP', httpHeaders: [{ name: 'x-a', value: 'b' }] }, wrong: {
        scheme: 'FTP' } }),
    row(
      'workload.containers/optional defaults',
      'omitted members of a probe have the defaults of the table',
      async (wire) => {
        const shown = await created(wire, 'standard', {
          metrics: { port: 9102 },
          readinessProbe: { httpGet: { port: 8080 } },
          volumes: [{ uri: 's3://bucket', path: '/mnt/bucket' }],
        });
        expect(at(shown, 'metrics')).toEqual({ port: 9102, path: '/metrics' });
        expect(at(shown, 'readinessProbe/httpGet/path')).toBe('/');
        absentOr(at(shown, 'readinessProbe/httpGet'), { scheme: 'HTTP' });
        absentOr(at(shown, 'volumes/0'), { recoveryPolicy: 'retain' });
      },
    ),
    row('workload.containers/probe handlers', 'a probe has one handler: none and two are refused', async (wire) => {
      await refusedIn(wire, 'standard', { readinessProbe: { periodSeconds: 5 } }, 'readinessProbe');
      const two = { exec: { command: ['true'] }, tcpSocket: { port: 8080 } };
      await refusedIn(wire, 'standard', { readinessProbe: two }, 'readinessProbe');
    }),
    ...Object.entries(numbers).map(([field, wrong]) =>
      fieldRow(
        `workload.containers/probe ${field}`,
        `${field} of a probe is an integer`,
        probed,
        `readinessProbe/${field}`,
        { value: 7, next: 8, wrong },
      ),
    ),
  ];
}
