import { expect, test } from 'vitest';
import { normalise } from '../../src/kinds/normalise.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { diff } from '../../src/patch/diff.ts';

const options = { context: { org: 'acme' }, directives: 'all' } as const;
const web = { workloadLink: '//gvc/shop/workload/web' };
const api = { prefix: '/api', workloadLink: '//gvc/shop/workload/api' };
const domain = (ports: readonly { readonly [key: string]: string | number | readonly object[] }[]) =>
  JSON.parse(JSON.stringify({ name: 'shop.example.com', spec: { ports } }));

test('routes without a prefix and ports without a number are identified by the stored default (platform/concepts.filled)', () => {
  const desired = domain([{ protocol: 'http2', routes: [web, api] }]);
  const live = normalise('domain', desired, options.context);
  expect(diff('domain', live, desired, options)).toBeUndefined();

  const later = domain([{ protocol: 'http2', routes: [{ ...web, port: 8080 }, api] }]);
  expect(diff('domain', live, later, options)?.patch).toEqual({
    spec: { '$patch/ports': [{ number: 443, '$patch/routes': [{ prefix: '/', port: 8080 }] }] },
  });
});

test('a default addresses no item: $patch requires the key (platform/patch.list-keys)', () => {
  const live = normalise('domain', domain([{ routes: [web] }]), options.context);
  const patch = { spec: { '$patch/ports': [{ number: 443, '$patch/routes': [{ port: 8080 }] }] } };
  expect(applyPatch(shapeOf('domain'), live, patch, options.context).ok).toBe(false);
});

test('a container with an empty list of ports has none: its position has no meaning (platform/concepts.rewritten)', () => {
  const [first, second] = [
    { name: 'one', image: 'a', ports: [] },
    { name: 'two', image: 'b', ports: [{ number: 80 }] },
  ];
  const workload = (...containers: readonly object[]) =>
    JSON.parse(JSON.stringify({ name: 'api', spec: { type: 'standard', containers } }));
  const live = normalise('workload', workload(first, second), options.context);
  expect(diff('workload', live, workload(second, first), options)).toBeUndefined();
});

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'several metrics', declared: { minScale: 1, multi: [{ metric: 'cpu', target: 80 }] },
      patch: { '$replace/autoscaling': { minScale: 1, multi: [{ metric: 'cpu', target: 80 }] } }, metric: undefined },
    { it: 'keda', declared: { minScale: 1, keda: { triggers: [], pollingInterval: 5 } },
      patch: { '$replace/autoscaling': { minScale: 1, keda: { pollingInterval: 5 } } }, metric: 'keda' },
  ],
)('a value that the platform chose is removed for $it (rules W18, W19)', ({ declared, patch, metric }) => {
  const workload = (autoscaling: object) =>
    JSON.parse(
      JSON.stringify({ name: 'api', spec: { type: 'stateful', containers: [], defaultOptions: { autoscaling } } }),
    );
  const live = normalise('workload', workload({ minScale: 1 }), options.context);
  expect(live).toMatchObject({ spec: { defaultOptions: { autoscaling: { metric: 'cpu', target: 95 } } } });

  const found = diff('workload', live, workload(declared), options);
  expect(found?.patch).toEqual({ spec: { defaultOptions: patch } });
  expect(found?.proof).toMatchObject({
    spec: { defaultOptions: { autoscaling: metric === undefined ? {} : { metric } } },
  });
  expect(found && diff('workload', found.proof, workload(declared), options)).toBeUndefined();
});

test('a blank description means the name, permanently (platform/concepts.description)', () => {
  const desired = { name: 'abc', description: ' ' };
  expect(diff('agent', normalise('agent', desired, options.context), desired, options)).toBeUndefined();
  const live = { name: 'abc', description: 'another', tags: {} };
  expect(diff('agent', live, desired, options)?.patch).toEqual({ $drop: ['description'] });
});
