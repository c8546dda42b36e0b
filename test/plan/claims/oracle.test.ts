import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, own } from '../../../src/base/json/json.ts';
import { normalise } from '../../../src/kinds/normalise.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { runs } from '../../harness/sampled.ts';
import { carryOut, ModelPlatform } from '../model.ts';
import { actions, closure, codes, declare, live, org, plan } from '../world.ts';

/**
 * One GVC, its owner, three parts and a person. The oracle knows no tags: it only stores what each stack declared when
 * it was last applied, and which items the person touched since.
 */
const id = 'gvc/g';
const ref = { kind: 'gvc', name: 'g' } as const;
const stacks = ['base', 'p1', 'p2', 'p3'] as const;
type Stack = (typeof stacks)[number];

/** `env A` or `tags a`, each with a value. */
type Items = Readonly<Record<string, string>>;

const names = ['env A', 'env B', 'tags a', 'tags b'] as const;
const wishes = fc.dictionary(fc.constantFrom(...names), fc.constantFrom('1', '2'), { maxKeys: 4 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ who: fc.constantFrom(...stacks), wants: wishes }) },
  {
    weight: 1,
    arbitrary: fc.record({
      who: fc.constant('person' as const),
      name: fc.constantFrom(...names),
      value: fc.constantFrom('1', '2', undefined),
    }),
  },
);

function fields(items: Items): JsonObject {
  const of = (kind: string) =>
    Object.entries(items).flatMap(([name, value]) => {
      const [where = '', key = ''] = name.split(' ');
      return where === kind ? [[key, value] as const] : [];
    });
  return { spec: { env: of('env').map(([name, value]) => ({ name, value })) }, tags: Object.fromEntries(of('tags')) };
}

function declared(stack: Stack, items: Items): readonly DesiredResource[] {
  if (stack === 'base') return [declare(id, fields(items))];
  return Object.keys(items).length === 0 ? [] : [declare(id, fields(items), { part: true })];
}

function itemsOf(record: JsonObject): Items {
  const env = listAt(objectAt(record, 'spec'), 'env')
    .filter(isObject)
    .map((each) => [`env ${String(each['name'])}`, String(own(each, 'value'))]);
  const tags = Object.entries(objectAt(record, 'tags')).filter(([key]) => !key.startsWith('gantry/'));
  return Object.fromEntries([...env, ...tags.map(([key, value]) => [`tags ${key}`, String(value)])]);
}

test('an owner, three parts and a person: a set value is kept, and is removed with the last stack that declares it', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
      const platform = new ModelPlatform();
      platform.put([live(id, normalise('gvc', { spec: {} }, { org }), { owner: 'base' })]);
      const read = () => itemsOf(platform.read(ref)?.record ?? {});
      const wanted = new Map<Stack, Items>();
      /** Claims that ended because the item was removed, until the stack is applied again. */
      const ended = new Set<string>();
      /** Items written or removed by a person since no stack last declared them. */
      const touched = new Set<string>();
      for (const each of steps) {
        const before = read();
        if (each.who === 'person') {
          touched.add(each.name);
          const { [each.name]: _, ...rest } = before;
          const after = fields(each.value === undefined ? rest : { ...rest, [each.name]: each.value });
          const tags = Object.fromEntries(
            Object.keys(before)
              .filter((name) => name.startsWith('tags '))
              .map((name) => [name.slice(5), null]),
          );
          if (each.value === undefined) for (const stack of stacks) ended.add(`${stack} ${each.name}`);
          platform.patch(ref, {
            spec: { env: listAt(objectAt(after, 'spec'), 'env') },
            tags: { ...tags, ...objectAt(after, 'tags') },
          });
          continue;
        }
        const { who, wants } = each;
        const desired = declared(who, wants);
        const planOf = () =>
          plan(desired, { ...platform.snapshot(), closures: closure('g', []) }, { owner: who, allowEmpty: true });
        const made = planOf();
        const theirs = (name: string): readonly Stack[] =>
          stacks.filter(
            (stack) => stack !== who && wanted.get(stack)?.[name] !== undefined && !ended.has(`${stack} ${name}`),
          );
        const differing = Object.keys(wants).filter(
          (name) => before[name] !== undefined && before[name] !== wants[name],
        );
        if (codes(made).length > 0) {
          expect(new Set(codes(made))).toEqual(new Set(['part.conflict']));
          // A refusal has exactly one reason: an item exists with another value.
          expect(differing).not.toEqual([]);
          expect(read()).toEqual(before);
          continue;
        }
        carryOut(made, platform, () => 0);
        const after = read();
        expect(actions(planOf())).toEqual([]);
        for (const name of names) {
          const isUntouched = !touched.has(name);
          if (wants[name] !== undefined) {
            expect(after[name], name).toBe(wants[name]);
            // If two stacks declare two values, the second is refused.
            if (isUntouched && differing.includes(name)) expect(theirs(name), name).toEqual([]);
          } else if (theirs(name).some((stack) => wanted.get(stack)?.[name] === before[name])) {
            expect(after[name], name).toBe(before[name]);
          } else if (isUntouched) {
            expect(after[name], name).toBeUndefined();
          } else if (wanted.get(who)?.[name] === undefined && !(who === 'base' && name.startsWith('env '))) {
            // A stack changes nothing that it never declared, except in the list of the owner, who declares all of it.
            expect(after[name], name).toBe(before[name]);
          }
        }
        wanted.set(who, wants);
        for (const name of names) if (after[name] !== undefined) ended.delete(`${who} ${name}`);
        for (const name of names) {
          if (after[name] === undefined && stacks.every((stack) => wanted.get(stack)?.[name] === undefined)) {
            touched.delete(name);
          }
        }
      }
    }),
    { numRuns: Number(process.env['GANTRY_CLAIMS'] ?? runs(400)) },
  );
});
