import { casesOf, type RuleCase } from '../ruleCase.ts';
import { c, external, http, main, mounts, of, probe, withContainers } from './workloadRecords.ts';

// biome-ignore format: a row is a case
export const containerCases: readonly RuleCase[] = [
  ...casesOf('W2', 'workload', [
    { it: 'no container', passes: withContainers(main), fails: withContainers(), path: 'spec.containers' },
    { it: 'nine containers', passes: withContainers(...Array.from({ length: 8 }, (_, n) => ({ name: `c${n}` }))),
      fails: withContainers(...Array.from({ length: 9 }, (_, n) => ({ name: `c${n}` }))), path: 'spec.containers' },
    { it: 'a reserved name', passes: of('standard', { name: 'schemer' }),
      fails: of('standard', { name: 'scheme-main' }), path: 'spec.containers.scheme-main.name' },
    { it: 'the same name twice', passes: withContainers(main, { name: 'side' }), fails: withContainers(main, main),
      path: 'spec.containers.main.name' },
  ]),
  ...casesOf('W3', 'workload', [
    { it: 'port and ports', passes: of('standard', { port: 8080 }),
      fails: of('standard', { port: 8080, ports: [{ number: 8081 }] }), path: `${c}.port` },
  ]),
  ...casesOf('W4', 'workload', [
    { it: 'the same port in two containers', passes: withContainers(http, { name: 'side', ports: [{ number: 8081 }] }),
      fails: withContainers(http, { name: 'side', port: 8080 }), path: 'spec.containers.side.port' },
  ]),
  ...casesOf('W5', 'workload', [
    { it: 'a reserved port (B2.3)', passes: of('standard', { ports: [{ number: 65_535 }] }),
      fails: of('standard', { ports: [{ number: 9090 }] }), path: `${c}.ports.9090.number` },
  ]),
  ...[8012, 8022, 9090, 9091, 15_000, 15_001, 15_006, 15_020, 15_021, 15_090, 41_000].map(
    (port): RuleCase => ({
      rule: 'W5',
      it: `the reserved port ${port} (B2.3)`,
      kind: 'workload',
      passes: of('standard', { port: port - 2 }),
      fails: of('standard', { port }),
      path: `${c}.port`,
    }),
  ),
  ...casesOf('W5', 'workload', [
    { it: 'port 65536 (B2.3)', passes: of('standard', { port: 65_535 }), fails: of('standard', { port: 65_536 }),
      path: `${c}.port` },
    { it: 'port 79 (B2.3)', passes: of('standard', { port: 80 }), fails: of('standard', { port: 79 }),
      path: `${c}.port` },
    { it: 'a reserved port of a probe (B2.3)', passes: probe({ tcpSocket: { port: 8080 } }),
      fails: probe({ tcpSocket: { port: 15_020 } }), path: `${c}.readinessProbe.tcpSocket.port` },
    { it: 'a reserved port for metrics (B2.3)', passes: of('standard', { metrics: { port: 9100 } }),
      fails: of('standard', { metrics: { port: 9091 } }), path: `${c}.metrics.port` },
    { it: 'outbound port 65001 (B2.3)', passes: external({ outboundAllowPort: [{ protocol: 'tcp', number: 65_000 }] }),
      fails: external({ outboundAllowPort: [{ protocol: 'tcp', number: 65_001 }] }),
      path: 'spec.firewallConfig.external.outboundAllowPort."tcp+65001".number' },
  ]),
  ...casesOf('W27', 'workload', [
    { it: 'two handlers', passes: probe({ tcpSocket: {} }), fails: probe({ tcpSocket: {}, httpGet: {} }),
      path: `${c}.readinessProbe` },
    { it: 'no handler', passes: probe({ grpc: { port: 8080 } }), fails: probe({ periodSeconds: 5 }),
      path: `${c}.readinessProbe` },
  ]),
  ...casesOf('W28', 'workload', [
    { it: 'a relative path', passes: mounts(['s3://a', '/a']), fails: mounts(['s3://a', 'a']),
      path: `${c}.volumes.a.path` },
    { it: 'a reserved path with a slash at its end', passes: mounts(['s3://a', '/var/data']),
      fails: mounts(['s3://a', '/var/log/']), path: `${c}.volumes."/var/log/".path` },
  ]),
  ...casesOf('W29', 'workload', [
    { it: 'a path inside another', passes: mounts(['s3://a', '/a'], ['s3://b', '/ab']),
      fails: mounts(['s3://a', '/a'], ['s3://b', '/a/b']), path: `${c}.volumes."/a/b".path` },
    { it: 'a path twice', passes: mounts(['s3://a', '/a'], ['s3://b', '/b']),
      fails: mounts(['s3://a', '/a'], ['s3://b', '/a/']), path: `${c}.volumes."/a/".path` },
  ]),
  ...casesOf('W30', 'workload', [
    { it: 'an unknown scheme', passes: mounts(['scheme://secret/tls.key', '/a'], ['azurefs://share', '/b']),
      fails: mounts(['ftp://a', '/a']), path: `${c}.volumes."/a".uri` },
    { it: 'neither secret nor volume set', passes: mounts(['scheme://volumeset/rows', '/a']),
      fails: mounts(['scheme://workload/x', '/a']), path: `${c}.volumes."/a".uri` },
  ]),
  ...casesOf('W32', 'workload', [
    { it: 'a reserved variable', passes: of('standard', { env: [{ name: '-a.B_1', value: '' }] }),
      fails: of('standard', { env: [{ name: 'K_REVISION' }] }), path: `${c}.env.K_REVISION.name` },
    { it: 'a value of 4097 characters', passes: of('standard', { env: [{ name: 'A', value: 'x'.repeat(4096) }] }),
      fails: of('standard', { env: [{ name: 'A', value: 'x'.repeat(4097) }] }), path: `${c}.env.A.value` },
    { it: 'a name that begins with a digit (A.10)', passes: of('standard', { env: [{ name: 'A1' }] }),
      fails: of('standard', { env: [{ name: '1A' }] }), path: `${c}.env.1A.name` },
  ]),
  ...casesOf('W41', 'workload', [
    { it: 'a block of resources', passes: of('standard', { cpu: '1', memory: '1Gi' }),
      fails: of('standard', { resources: { limits: { cpu: '1' } } }), path: `${c}.resources` },
  ]),
  ...casesOf('workload.probe-path', 'workload', [
    { it: 'a path without a slash', where: 'offline',
      passes: of('standard', { readinessProbe: { httpGet: { path: '/ready' } } }),
      fails: of('standard', { readinessProbe: { httpGet: { path: 'ready' } } }),
      path: `${c}.readinessProbe.httpGet.path` },
  ]),
  ...casesOf('workload.probe-port', 'workload', [
    { it: 'a port without a listener', where: 'offline',
      passes: of('standard', { ports: [{ number: 8080 }], livenessProbe: { tcpSocket: { port: 8080 } } }),
      fails: of('standard', { ports: [{ number: 8080 }], livenessProbe: { tcpSocket: { port: 8081 } } }),
      path: `${c}.livenessProbe.tcpSocket.port` },
  ]),
  ...casesOf('deprecated.container-port', 'workload', [
    { it: 'the legacy port', where: 'offline', passes: of('serverless'),
      fails: of('serverless', { port: 8080, ports: [] }), path: `${c}.port` },
  ]),
  ...casesOf('workload.image', 'workload', [
    { it: 'three colons (B2.4)', passes: of('standard', { image: 'registry.example.com:5000/web:1' }),
      fails: of('standard', { image: 'a:b:c:d' }), path: `${c}.image` },
    { it: 'an image of another org (B2.4)', passes: of('standard', { image: '/org/acme/image/web:1' }),
      fails: of('standard', { image: '/org/other/image/web:1' }), path: `${c}.image` },
  ]),
  ...[
    { it: 'a name of 129 characters in the own registry', image: (part: string) => `//image/${part}:1` },
    { it: 'a tag of 129 characters in the own registry', image: (part: string) => `//image/web:${part}` },
  ].map(
    ({ it, image }): RuleCase => ({
      rule: 'workload.image',
      it,
      kind: 'workload',
      passes: of('standard', { image: image('a'.repeat(128)) }),
      fails: of('standard', { image: image('a'.repeat(129)) }),
      path: `${c}.image`,
    }),
  ),
];
