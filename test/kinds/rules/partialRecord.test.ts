import { describe, expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../../src/base/json/json.ts';
import type { Pointer } from '../../../src/base/json/pointer.ts';
import { checkPartialRecord, checkRecord, checkRelated, isKnownAt, type Unknown } from '../../../src/kinds/registry.ts';
import type { Problem } from '../../../src/schema/record/problem.ts';
import { context, relatedOf } from './ruleCase.ts';
import { cases } from './tables.ts';

/** The rules with problems, each with its path: `W24 spec.containers.main.cpu`. */
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

  test('reports problems found without reading that value', () => {
    expect(found('workload', small, at('description'))).toEqual(['W24 spec.containers.main.cpu']);
    expect(found('workload', small, at('spec', 'type'))).toEqual(['W24 spec.containers.main.cpu']);
    expect(found('workload', small, at('spec', 'containers', 0, 'image'))).toEqual(['W24 spec.containers.main.cpu']);
  });

  test('reports nothing after reading it: a tag may permit the memory', () => {
    const large = workload({ containers: [{ ...main, memory: '1Gi' }] });
    expect(found('workload', large)).toEqual(['W23 spec.containers.main.memory']);
    expect(found('workload', large, at('tags'))).toEqual([]);
    expect(found('workload', large, at('tags', 'scheme/relaxMemoryToCpuRatio'))).toEqual([]);
    expect(found('workload', large, at('spec', 'containers', 0, 'cpu'))).toEqual([]);
  });

  test('reports a problem in one item of a list, whatever the same value of another item is', () => {
    const second = { name: 'side', image: 'web:1', cpu: '1m' };
    const two = workload({ containers: [main, second] });
    expect(found('workload', two, at('spec', 'containers', 0, 'cpu'))).toEqual(['W24 spec.containers.side.cpu']);
    expect(found('workload', two, at('spec', 'containers', 0))).toEqual(['W24 spec.containers.side.cpu']);
  });

  test('that compares items reports nothing about an item with an unknown value: a port without a number is 443', () => {
    const domain = { name: 'example.com', spec: { ports: [{ protocol: 'http' }, { number: 443, protocol: 'http' }] } };
    expect(found('domain', domain)).toContain('D12 spec.ports.443');
    expect(found('domain', domain, at('spec', 'ports', 0, 'number'))).not.toContain('D12 spec.ports.443');
  });

  test('reports an invalid key beside an unknown entry of a map, and nothing about an entry that it reads by name', () => {
    const tags = { 'gantry/own': 'x', 'scheme/sessionCookie': 'x' };
    const open = at('tags', 'scheme/sessionDuration');
    expect(found('gvc', { name: 'shop', tags })).toEqual([
      'tags.reserved tags."gantry/own"',
      'G7 tags."scheme/sessionCookie"',
    ]);
    expect(found('gvc', { name: 'shop', tags }, open)).toEqual(['tags.reserved tags."gantry/own"']);
  });

  test('reports nothing about the items of a list that may contain more', () => {
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

/** The pointers of a record, and the record without each value, as in a configuration with an unknown value. */
function holesIn(
  value: JsonValue,
  pointer: Pointer = [],
): readonly { readonly without: JsonValue; readonly open: Unknown }[] {
  const inside = (member: JsonValue, step: string | number, put: (next: JsonValue) => JsonValue) =>
    holesIn(member, [...pointer, step]).map(({ without, open }) => ({ without: put(without), open }));
  if (isArray(value)) {
    return value.flatMap((item, index) => {
      const below = inside(item, index, (next) => value.with(index, next));
      if (isObject(item)) return [{ without: value.with(index, {}), open: { pointer: [...pointer, index] } }, ...below];
      // The pointers of the others are unchanged.
      const isLast = index === value.length - 1;
      return isLast ? [{ without: value.slice(0, -1), open: { pointer, members: true as const } }, ...below] : below;
    });
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _, ...others } = value;
    return [
      { without: others, open: { pointer: [...pointer, name] } },
      ...inside(member, name, (next) => ({ ...value, [name]: next })),
    ];
  });
}

describe('no rule finds something of a record with an unknown value that it does not find of the whole', () => {
  const of = (problems: readonly Problem[]): readonly string[] =>
    problems.map(({ rule, pointer }) => `${rule} ${pointer.join('.')}`);

  test.each([...Map.groupBy(cases, ({ kind }) => kind)])('%s', (kind, each) => {
    let holes = 0;
    for (const { rule, passes, fails, others, absent, where, context: its = context } of each) {
      const related = relatedOf(others, absent);
      for (const record of [passes, fails]) {
        if (JSON.stringify(record).length > 5_000) continue;
        const whole = new Set(
          of([...checkRecord(kind, record, its, where), ...checkRelated(kind, record, its, related, where)]),
        );
        for (const { without, open } of holesIn(record)) {
          if (!isObject(without) || (kind === 'gvc' && open.pointer[0] === 'name')) continue;
          holes += 1;
          const partly = of([
            ...checkPartialRecord(kind, without, [open], its, where),
            ...checkPartialRecord(kind, without, [open], its, where, related),
          ]);
          expect(
            partly.filter((problem) => !whole.has(problem)),
            `${rule}, without ${open.pointer.join('.')}`,
          ).toEqual([]);
        }
      }
    }
    expect(holes).toBeGreaterThan(0);
  });
});

test.each<[readonly string[], boolean, boolean]>([
  [['spec'], false, false],
  [['spec', 'env'], false, false],
  [['spec', 'env', 'A'], false, true],
  [['tags'], true, true],
])(
  'at %j a value is known beside an unknown one: %s, and beside one with unknown members: %s',
  (pointer, whole, members) => {
    expect(isKnownAt([{ pointer: ['spec', 'env'] }], pointer)).toBe(whole);
    expect(isKnownAt([{ pointer: ['spec', 'env'], members: true }], pointer)).toBe(members);
  },
);
