import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { valueWhenOmitted } from '../../src/kinds/normalise.ts';

function derive(name: string, ...enclosing: readonly JsonObject[]): JsonValue | undefined {
  return valueWhenOmitted({ fill: 'derived', derive: name }, enclosing);
}

function workload(type: string, options: JsonObject = {}, container: JsonObject = {}): readonly JsonObject[] {
  const spec = { type, containers: [container], defaultOptions: options };
  return [{ spec }, spec, options];
}

test.each<[string, JsonObject, JsonObject, boolean]>([
  ['serverless', {}, {}, true],
  ['standard', {}, {}, true],
  ['cron', {}, {}, true],
  ['stateful', {}, {}, false],
  ['standard', { autoscaling: { metric: 'cpu' } }, {}, false],
  ['standard', { autoscaling: { metric: 'rps' } }, {}, true],
  ['standard', { autoscaling: { multi: [] } }, {}, false],
  ['standard', {}, { gpu: { nvidia: { model: 't4' } } }, false],
])(
  'capacityAI of %s with %j and container %j is %s (platform/workload.autoscaling)',
  (type, options, container, expected) => {
    expect(derive('capacityAI', ...workload(type, options, container))).toBe(expected);
  },
);

test.each<[string, JsonObject, JsonObject, JsonValue | undefined]>([
  ['serverless', {}, {}, 'concurrency'],
  ['standard', {}, {}, 'disabled'],
  ['standard', { capacityAI: false }, {}, 'cpu'],
  ['stateful', {}, {}, 'cpu'],
  ['cron', {}, {}, undefined],
  ['standard', {}, { multi: [] }, undefined],
  ['standard', {}, { keda: {} }, 'keda'],
])(
  'the metric of %s with %j and autoscaling %j is %s (platform/workload.autoscaling)',
  (type, options, autoscaling, expected) => {
    expect(derive('autoscalingMetric', ...workload(type, options), autoscaling)).toBe(expected);
  },
);

test.each<[JsonObject, number | undefined]>([
  [{ metric: 'cpu' }, 95],
  [{ metric: 'concurrency' }, 95],
  [{ metric: 'keda' }, undefined],
  [{ metric: 'disabled' }, undefined],
  [{ metric: 'cpu', multi: [] }, undefined],
  [{}, undefined],
])('the target beside %j is %s (platform/workload.autoscaling)', (autoscaling, expected) => {
  expect(derive('autoscalingTarget', ...workload('standard'), autoscaling)).toBe(expected);
});

test('the predictive factor is that of its autoscaling object (platform/volumeset)', () => {
  expect(derive('predictiveScalingFactor', { scalingFactor: 1.5 }, {})).toBe(1.5);
  expect(derive('predictiveScalingFactor', {}, {})).toBeUndefined();
});

test('the first port is the first of ports, otherwise the legacy port, otherwise none (platform/concepts.filled)', () => {
  expect(derive('firstContainerPort', { ports: [{ number: 81 }, { number: 80 }], port: 5 }, {}, {})).toBe(81);
  expect(derive('firstContainerPort', { port: 5 }, {}, {})).toBe(5);
  expect(derive('firstContainerPort', {}, {}, {})).toBeUndefined();
});

test('without a function the derived value is the constant, and without a constant none', () => {
  expect(valueWhenOmitted({ fill: 'constant', default: '50m' }, [{}])).toBe('50m');
  expect(valueWhenOmitted({}, [{}])).toBeUndefined();
  expect(valueWhenOmitted({ derive: 'constructor' }, [{}])).toBeUndefined();
});

test.each<[string, JsonObject, JsonValue | undefined]>([
  ['name', { name: 'web' }, 'web'],
  ['name', {}, undefined],
  ['dnsMode', { gvcLink: '//gvc/shop' }, 'ns'],
  ['dnsMode', {}, 'cname'],
  ['routePrefix', { regex: '/a' }, undefined],
  ['routePrefix', {}, '/'],
  ['tls', { number: 443 }, {}],
  ['tls', {}, {}],
  ['tls', { number: 443, protocol: 'tcp' }, undefined],
  ['tls', { number: 80 }, undefined],
  ['performanceClass', { fileSystemType: 'shared' }, 'shared'],
  ['performanceClass', { fileSystemType: 'ext4' }, undefined],
  ['performanceClass', {}, undefined],
])('%s beside %j is %j (platform/concepts.filled)', (name, object, value) => {
  expect(derive(name, object)).toEqual(value);
});

test('an empty value is no GPU, and any container may have one (platform/workload.capacity-ai)', () => {
  const spec = (...containers: readonly JsonValue[]) => ({ spec: { type: 'standard', containers } });
  expect(derive('capacityAI', spec({ gpu: {} }, 'text'), {})).toBe(true);
  expect(derive('capacityAI', spec({}, { gpu: { custom: { resource: 'x' } } }), {})).toBe(false);
});

test('a workload without a type is serverless, and neither several metrics nor keda have a target', () => {
  expect(derive('autoscalingMetric', { spec: {} }, {}, {}, {})).toBe('concurrency');
  expect(derive('autoscalingTarget', { metric: 'cpu', keda: {} })).toBeUndefined();
  expect(derive('firstContainerPort', { ports: ['x'], port: 5 }, {}, {})).toBe(5);
});
