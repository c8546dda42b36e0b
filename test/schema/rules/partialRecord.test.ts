import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/schema/json/json.ts';
import { checkPartialRecord, type Unknown } from '../../../src/schema/rules/registry.ts';
import { context } from './ruleCase.ts';

/** The rules that find something, with the place: `W24 spec.containers.main.cpu`. */
function found(kind: 'workload' | 'gvc' | 'domain' | 'policy', record: JsonObject, ...unknowns: readonly Unknown[]) {
  return checkPartialRecord(kind, record, unknowns, context, 'offline').map(({ rule, path }) => `${rule} ${path}`);
}

const at = (...pointer: readonly (string | number)[]): Unknown => ({ pointer });
const main = { name: 'main', image: 'web:1' };
const workload = (spec: JsonObject): JsonObject => ({
  name: 'web',
  spec: { type: 'standard', containers: [main], ...spec },
});

describe('of a record with an unknown value, a rule', () => {
  const small = workload({ containers: [{ ...main, cpu: '1m' }] });

  test('finds what it finds without reading that value', () => {
    expect(found('workload', small, at('description'))).toEqual(['W24 spec.containers.main.cpu']);
    expect(found('workload', small, at('spec', 'type'))).toEqual(['W24 spec.containers.main.cpu']);
    expect(found('workload', small, at('spec', 'containers', 0, 'image'))).toEqual(['W24 spec.containers.main.cpu']);
  });

  test('finds nothing where it has read it: a tag may allow the memory', () => {
    const large = workload({ containers: [{ ...main, memory: '1Gi' }] });
    expect(found('workload', large)).toEqual(['W23 spec.containers.main.memory']);
    expect(found('workload', large, at('tags'))).toEqual([]);
    expect(found('workload', large, at('tags', 'scheme/relaxMemoryToCpuRatio'))).toEqual([]);
    expect(found('workload', large, at('spec', 'containers', 0, 'cpu'))).toEqual([]);
  });

  test('finds what is wrong in one item of a list, whatever the same value of another item is', () => {
    const second = { name: 'side', image: 'web:1', cpu: '1m' };
    const two = workload({ containers: [main, second] });
    expect(found('workload', two, at('spec', 'containers', 0, 'cpu'))).toEqual(['W24 spec.containers.side.cpu']);
    expect(found('workload', two, at('spec', 'containers', 0))).toEqual(['W24 spec.containers.side.cpu']);
  });

  test('that compares items concludes nothing from one of which something is unknown: a port without a number is 443', () => {
    const domain = { name: 'example.com', spec: { ports: [{ protocol: 'http' }, { number: 443, protocol: 'http' }] } };
    expect(found('domain', domain)).toContain('D12 spec.ports.443');
    expect(found('domain', domain, at('spec', 'ports', 0, 'number'))).not.toContain('D12 spec.ports.443');
  });

  test('finds a wrong key beside an unknown entry of a map, and nothing of an entry that it asks for by its name', () => {
    const tags = { 'gantry/own': 'x', 'scheme/sessionCookie': 'x' };
    const open = at('tags', 'scheme/sessionDuration');
    expect(found('gvc', { name: 'shop', tags })).toEqual([
      'tags.reserved tags."gantry/own"',
      'G7 tags."scheme/sessionCookie"',
    ]);
    expect(found('gvc', { name: 'shop', tags }, open)).toEqual(['tags.reserved tags."gantry/own"']);
  });

  test('concludes nothing from the items of a list of which there may be more', () => {
    const policy = { name: 'readers', bindings: [{ permissions: ['view'] }, { permissions: ['view'] }] };
    const open: Unknown = { pointer: ['bindings', 0, 'permissions'], members: true };
    expect(found('policy', policy)).toContain('PO5 bindings.1');
    expect(found('policy', policy, open)).not.toContain('PO5 bindings.1');
  });

  test('that judges each value by itself finds it beside any other', () => {
    const links = workload({ identityLink: '//workload/other' });
    expect(found('workload', links, at('spec', 'containers'))).toEqual(['link.target spec.identityLink']);
    expect(found('workload', links, at('spec', 'identityLink'))).toEqual([]);
  });
});
