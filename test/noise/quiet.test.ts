import { describe, expect, test } from 'vitest';
import { unlike } from '../../src/apply/replyCheck.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import { diff } from '../../src/patch/diff.ts';
import type { Kind } from '../../src/schema/record/kinds.ts';
import { formatRef } from '../../src/schema/record/ref.ts';
import { actions, declare, live, plan } from '../plan/world.ts';

/** Two spellings of the same value are no difference. Generated stacks found these cases, which are written by hand. */
const options = { context: { org: 'o', gvc: 'g' }, directives: 'all' } as const;

function patch(kind: Kind, held: JsonObject, desired: JsonObject): JsonObject | undefined {
  return diff(kind, { name: 'a', ...held }, { name: 'a', ...desired }, options)?.patch;
}

function container(more: JsonObject): JsonObject {
  return { spec: { type: 'standard', containers: [{ name: 'main', image: 'i', ...more }] } };
}

function spec(more: JsonObject): JsonObject {
  return { spec: { type: 'standard', containers: [{ name: 'main', image: 'i' }], ...more } };
}

describe('there is no difference between', () => {
  test.each([
    [{ port: 80 }, { ports: [{ number: 80 }] }],
    [{ ports: [{ number: 80, protocol: 'http' }] }, { port: 80 }],
  ])('the legacy port of a container and one of its ports (platform/concepts.filled): %j and %j', (held, desired) => {
    expect(patch('workload', container(held), container(desired))).toBeUndefined();
  });

  test.each([
    ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['::ffff:10.0.0.1', '::FFFF:a00:1'],
    ['10.0.0.1', '10.0.0.1/32'],
  ])('an address in two spellings: %s and %s', (held, desired) => {
    const open = (block: string) => spec({ firewallConfig: { external: { inboundAllowCIDR: [block] } } });
    expect(patch('workload', open(held), open(desired))).toBeUndefined();
  });

  test('a liveness probe without initialDelaySeconds and one with 60 (platform/workload.probes)', () => {
    const probe = (more: JsonObject) => container({ livenessProbe: { tcpSocket: { port: 80 }, ...more } });
    expect(patch('workload', probe({ initialDelaySeconds: 60 }), probe({}))).toBeUndefined();
  });

  test.each([
    [{ a: 1 }, '{"a": 1}'],
    [[{ key: 'x' }], '[{"key":"x"}]'],
  ])('extras as an object and as JSON text (platform/clients.settable): %j', (affinity, text) => {
    expect(patch('workload', spec({ extras: { affinity } }), spec({ extras: { affinity: text } }))).toBeUndefined();
    expect(patch('workload', spec({}), spec({ extras: { affinity: '{}' } }))).toBeUndefined();
    expect(patch('workload', spec({ extras: { affinity: 'x' } }), spec({ extras: { affinity } }))).toBeDefined();
  });

  test('a port of a domain without number and the port 443, or with and without tls', () => {
    const ports = (port: JsonObject) => ({ spec: { ports: [port] } });
    expect(
      patch('domain', ports({ protocol: 'http2', tls: {} }), ports({ number: 443, protocol: 'http2' })),
    ).toBeUndefined();
  });

  test('bindings of a policy in different orders (platform/policy)', () => {
    const policy = (...bindings: readonly JsonObject[]) => ({ targetKind: 'gvc', target: 'all', bindings });
    const viewing = { permissions: ['view'], principalLinks: ['//group/a', '//group/b'] };
    const editing = { permissions: ['edit', 'view'], principalLinks: ['//group/a'] };
    const again = { permissions: ['view'], principalLinks: ['/org/o/group/b', '/org/o/group/a'] };
    expect(patch('policy', policy(viewing, editing), policy(editing, again))).toBeUndefined();
    expect(patch('policy', policy(viewing, editing), policy(viewing))).toBeDefined();
    expect(patch('policy', policy(viewing, viewing), policy(viewing, editing))).toBeDefined();
  });

  test('a shared volume set with its class and an answer that omits the class', () => {
    const shared = { spec: { fileSystemType: 'shared', initialCapacity: 10 } };
    const declared = declare('volumeset/g/files', { spec: { ...shared.spec, performanceClass: 'shared' } });
    expect(actions(plan([declared], [live('gvc/g'), live('volumeset/g/files', shared)], { scope: 'partial' }))).toEqual(
      [],
    );
  });
});

test('removing a field also removes the values that were derived from it (predictive scaling, platform/volumeset)', () => {
  const growing = (autoscaling: JsonObject) => ({ spec: { fileSystemType: 'ext4', initialCapacity: 10, autoscaling } });
  const held = growing({ maxCapacity: 100, scalingFactor: 3, predictive: { enabled: false, scalingFactor: 3 } });
  expect(patch('volumeset', held, growing({ maxCapacity: 100, predictive: { enabled: false } }))).toEqual({
    spec: { '$replace/autoscaling': { maxCapacity: 100, predictive: { enabled: false } } },
  });
});

test('an answer may omit a value that follows from its other values', () => {
  const answer = (record: JsonObject): LiveResource => {
    const ref = { kind: 'workload', gvc: 'g', name: 'a' } as const;
    return { ref, id: formatRef(ref), uid: 'u', version: 1, record: { name: 'a', ...record } };
  };
  const scaled = (more: JsonObject) => spec({ defaultOptions: { autoscaling: { metric: 'cpu' }, ...more } });
  expect(unlike(scaled({ capacityAI: false }), answer(scaled({})), 'o')).toEqual([]);
  expect(unlike(scaled({ capacityAI: true }), answer(scaled({})), 'o')).toEqual(['spec.defaultOptions.capacityAI']);
});
