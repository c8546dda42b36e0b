import { expect, test } from 'vitest';
import { objectAt } from '../../../src/base/json/json.ts';
import { discovery } from '../../../src/server/api/openapi/discovery.ts';
import { serverAddress } from '../../../src/server/http/listen.ts';

const base = 'http://127.0.0.1:4480';

test('discovery has every name of platform/wire.discovery, directives: all, and the honoured preconditions', () => {
  const { directives, preconditions, dryRun, reveal, versions, items, values, idp, endpoints } = discovery(base);
  const names = [
    ...['audit', 'logs', 'metrics', 'metrics-ng', 'metering', 'tracing', 'grafana', 'billing', 'billing-ng'],
    ...['terraform-exporter', 'k8s-crd-exporter', 'registry', 'hub', 'browser', 'console', 'byok', 'mcp'],
  ];
  expect({ directives, preconditions, dryRun, reveal, versions, items, values }).toEqual({
    directives: 'all',
    preconditions: 'honoured',
    dryRun: 'honoured',
    reveal: 'honoured',
    versions: 'plus-one',
    items: 'whole',
    values: 'documented',
  });
  expect(idp).toEqual({ apiKey: expect.any(String), authDomain: expect.any(String), projectId: expect.any(String) });
  expect(Object.keys(objectAt({ endpoints: endpoints ?? null }, 'endpoints'))).toEqual(expect.arrayContaining(names));
});

test("all endpoints are on the server's port, and exporters have a path that a self link can follow", () => {
  expect(objectAt(discovery(base), 'endpoints')).toMatchObject({
    audit: base,
    'billing-ng': base,
    'terraform-exporter': `${base}/-exporter/terraform`,
    'k8s-crd-exporter': `${base}/-exporter/crd`,
  });
});

test.each([
  ['127.0.0.1:4480', 'http://127.0.0.1:4480'],
  ['LOCALHOST:80', 'http://localhost'],
  ['[::1]:4480', 'http://[::1]:4480'],
  ['10.1.2.3:4480', 'http://10.1.2.3:4480'],
  ['platform.local', undefined],
  ['10.1.2.4:4480', undefined],
  [undefined, undefined],
  ['', undefined],
  ['evil"><script>', undefined],
  ['a b', undefined],
  ['user@localhost', undefined],
  ['localhost/path', undefined],
])('a server on 10.1.2.3 answers a request for the host %j with links to %j', (host, url) => {
  expect(serverAddress({ host, localAddress: '::ffff:10.1.2.3' }, undefined)).toBe(url);
  expect(serverAddress({ host, localAddress: '10.1.2.3' }, 'https://p.example')).toBe(url ?? 'https://p.example');
});
