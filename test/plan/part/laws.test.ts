import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { runs } from '../../harness/sampled.ts';
import { ModelPlatform } from '../model.ts';
import { actions, codes, declare, foreign, live, plan } from '../world.ts';

const id = 'domain/shop.com';
const stacks = ['base', 'docs', 'help'] as const;
type Stack = (typeof stacks)[number];

/** Routes by port and prefix. Each prefix belongs to one stack, so the stacks do not conflict. */
const places = fc.record({ port: fc.constantFrom(443, 8443), name: fc.constantFrom('a', 'b', 'c') });
const wishes = fc.uniqueArray(places, { selector: ({ port, name }) => `${port} ${name}`, maxLength: 4 });
const step = fc.record({ stack: fc.constantFrom(...stacks), wishes, target: fc.constantFrom('one', 'two') });

interface Wish {
  readonly port: number;
  readonly name: string;
}

function declared(stack: Stack, wanted: readonly Wish[], target: string): readonly DesiredResource[] {
  const ports = [...new Set([...(stack === 'base' ? [443, 8443] : []), ...wanted.map(({ port }) => port)])].map(
    (number): JsonObject => ({
      number,
      ...(stack === 'base' ? { protocol: 'http2' } : {}),
      routes: wanted
        .filter(({ port }) => port === number)
        .map(({ name }) => ({ prefix: `/${stack}-${name}`, workloadLink: `//gvc/g/workload/${target}` })),
    }),
  );
  if (stack === 'base') return [declare(id, { spec: { ports } })];
  return wanted.length === 0 ? [] : [declare(id, { spec: { ports } }, { part: true })];
}

/** The routes with their targets: `443 /docs-a one`. */
function routesOf({ record }: LiveResource): readonly string[] {
  return listAt(objectAt(record, 'spec'), 'ports')
    .filter(isObject)
    .flatMap((port) =>
      listAt(port, 'routes')
        .filter(isObject)
        .map((route) => {
          const target = stringAt(route, 'workloadLink')?.split('/').at(-1);
          return `${port['number']} ${stringAt(route, 'prefix')} ${target}`;
        }),
    )
    .sort();
}

test.each(['all', 'stated'] as const)(
  'three stacks on one domain, in any order: each gets its routes, and the next plan is empty (list keys: %s)',
  (directives) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const platform = new ModelPlatform();
        platform.put(['gvc/g', 'workload/g/one', 'workload/g/two'].map((each) => foreign(each)));
        const first = declared('base', [], 'one')[0]?.record ?? {};
        platform.put([
          live(id, { ...first, spec: { dnsMode: 'cname', ...objectAt(first, 'spec') } }, { owner: 'base' }),
        ]);
        const wanted = new Map<Stack, readonly string[]>();
        for (const { stack, wishes: chosen, target } of steps) {
          const desired = declared(stack, chosen, target);
          const planOf = () =>
            plan(desired, { ...platform.snapshot(), directives }, { owner: stack, allowEmpty: true });
          const made = planOf();
          expect(codes(made)).toEqual([]);
          for (const { action, ref, patch } of made.changes) {
            if (action !== 'keep' && patch !== undefined) platform.patch(ref, patch.expose());
          }
          expect(actions(planOf())).toEqual([]);
          wanted.set(
            stack,
            chosen.map(({ port, name }) => `${port} /${stack}-${name} ${target}`),
          );
          const now = platform.read({ kind: 'domain', name: 'shop.com' });
          expect(now === undefined ? [] : routesOf(now)).toEqual([...wanted.values()].flat().sort());
        }
      }),
      { numRuns: runs(150) },
    );
  },
);

/** Any stack may declare any route, always to the same workload. */
const sharedStep = fc.record({ stack: fc.constantFrom(...stacks), wishes });

function sharing(stack: Stack, wanted: readonly Wish[]): readonly DesiredResource[] {
  const [of] = declared(stack, wanted, 'one');
  if (of === undefined) return [];
  const text = JSON.stringify(of.record).replaceAll(`"/${stack}-`, '"/');
  return [declare(id, JSON.parse(text), of.lifecycle)];
}

test('three stacks that declare the same routes: a route exists as long as one of them declares it', () => {
  fc.assert(
    fc.property(fc.array(sharedStep, { minLength: 1, maxLength: 10 }), (steps) => {
      const platform = new ModelPlatform();
      platform.put(['gvc/g', 'workload/g/one'].map((each) => foreign(each)));
      const first = sharing('base', [])[0]?.record ?? {};
      platform.put([live(id, { ...first, spec: { dnsMode: 'cname', ...objectAt(first, 'spec') } }, { owner: 'base' })]);
      const wanted = new Map<Stack, readonly string[]>();
      for (const { stack, wishes: chosen } of steps) {
        const desired = sharing(stack, chosen);
        const planOf = () => plan(desired, platform.snapshot(), { owner: stack, allowEmpty: true });
        const made = planOf();
        expect(codes(made)).toEqual([]);
        for (const { action, ref, patch } of made.changes) {
          if (action !== 'keep' && patch !== undefined) platform.patch(ref, patch.expose());
        }
        expect(actions(planOf())).toEqual([]);
        wanted.set(
          stack,
          chosen.map(({ port, name }) => `${port} /${name} one`),
        );
        const now = platform.read({ kind: 'domain', name: 'shop.com' });
        expect(now === undefined ? [] : routesOf(now)).toEqual([...new Set([...wanted.values()].flat())].sort());
      }
    }),
    { numRuns: runs(150) },
  );
});
