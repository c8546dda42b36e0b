import { expect, test } from 'vitest';
import {
  aliasEndpoint,
  canonicalEndpoint,
  internalName,
  isExposed,
  locationEndpoint,
  type Naming,
  replicaEndpoint,
} from '../../../src/server/workloads/decisions/facts.ts';

const naming: Naming = { workload: 'web', gvc: 'shop', alias: 'abc123', prefix: 'acme', format: 'org' };

test('endpoints contain the prefix of the org unless the format is legacy (platform/concepts.filled)', () => {
  expect(canonicalEndpoint(naming)).toBe('https://web-abc123.acme.apps.example');
  for (const format of ['legacy', 'default']) {
    expect(canonicalEndpoint({ ...naming, format })).toBe('https://web-abc123.apps.example');
  }
  expect(canonicalEndpoint({ ...naming, format: undefined })).toBe(canonicalEndpoint(naming));
});

test('each location and each replica has its own endpoint (platform/lifecycle.deployment, platform/workload)', () => {
  expect(locationEndpoint(naming, 'here')).toBe('https://web-abc123.here.acme.apps.example');
  expect(replicaEndpoint(naming, 'here', 2)).toBe('https://web-2-abc123.here.acme.apps.example');
  expect(aliasEndpoint(naming)).toBe('https://abc123.acme.apps.example');
  expect(internalName(naming)).toBe('web.shop.internal.example');
});

test('a workload without a port has no endpoint (platform/workload.types)', () => {
  const exposed = [{ name: 'a' }, { name: 'b', ports: [{ number: 80 }] }];
  expect(isExposed({ spec: { containers: exposed } })).toBe(true);
  expect(isExposed({ spec: { containers: [{ name: 'a', port: 8080 }] } })).toBe(true);
  expect(isExposed({ spec: { containers: [{ name: 'a', ports: [] }] } })).toBe(false);
});
