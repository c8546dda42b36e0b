import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../src/base/json/json.ts';
import { normalise } from '../../src/kinds/normalise.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { diff } from '../../src/patch/diff.ts';
import { writePatch } from '../../src/patch/writePatch.ts';
import { runs } from '../harness/sampled.ts';
import { context } from './realRecord.ts';

const prefix = fc.nat({ max: 299 }).map((number) => `/r${number}`);
const route = fc.record({ prefix, port: fc.constantFrom(80, 8080, 9090) });
const routes = fc.uniqueArray(route, { maxLength: 200, size: 'max', selector: (each) => each.prefix });

function domain(of: readonly JsonObject[]): JsonObject {
  const workloadLink = '/org/acme/gvc/shop/workload/web';
  const ports = [{ number: 443, protocol: 'http2', routes: of.map((each) => ({ ...each, workloadLink })) }];
  return { kind: 'domain', name: 'shop.example.com', tags: {}, spec: { dnsMode: 'cname', ports } };
}

/** Some items of a list are removed, some changed, and some new, in any order. */
const edits = routes.chain((live) =>
  fc.record({
    live: fc.constant(live),
    kept: fc.shuffledSubarray(live),
    more: routes,
    changed: fc.integer({ min: 0, max: 5 }),
  }),
);

/** By prefix: without regular expressions their order has no meaning. */
function portsOf(record: JsonObject): readonly string[] {
  const [port] = listAt(objectAt(record, 'spec'), 'ports').filter(isObject);
  const found = listAt(port ?? {}, 'routes').filter(isObject);
  return found.map((each) => `${each['prefix']} ${each['port']}`).sort();
}

test('a list of up to 200 routes becomes the declared one after any additions, changes, moves and removals, and stays so', () => {
  fc.assert(
    fc.property(edits, ({ live, kept, more, changed }) => {
      const taken = new Set(kept.map((each) => each.prefix));
      const wanted = [
        ...kept.map((each, index) => (index < changed ? { ...each, port: 7070 } : each)),
        ...more.filter((each) => !taken.has(each.prefix)),
      ].slice(0, 200);
      const before = normalise('domain', domain(live), context);
      const options = { context, directives: 'all' } as const;
      const found = diff('domain', before, domain(wanted), options);
      const result = applyPatch(shapeOf('domain', before), before, found?.patch ?? {}, context);
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      const after = normalise('domain', result.record, context);
      expect(portsOf(after)).toEqual(portsOf(domain(wanted)));
      expect(diff('domain', after, domain(wanted), options)).toBeUndefined();
    }),
    { numRuns: runs(60) },
  );
});

test('for a long list, only alternatives that may be the cheapest are computed', () => {
  const env = Array.from({ length: 10_000 }, (_, index) => ({ name: `V${index}`, value: 'x' }));
  const [live, target] = [env, [...env, { name: 'MORE', value: 'y' }]].map((all) => ({ spec: { env: all } }));
  const written = writePatch(shapeOf('gvc'), live ?? {}, target ?? {}, { context, directives: 'all' });
  expect(written).toEqual({ spec: { '$append/env': [{ name: 'MORE', value: 'y' }] } });
}, 20_000);
