import { expect, test } from 'vitest';
import {
  amount,
  choice,
  count,
  dictionary,
  each,
  either,
  type Form,
  flag,
  integer,
  json,
  list,
  nullable,
  number,
  object,
  optional,
  optionals,
  ordinal,
  some,
  text,
} from '../../../src/base/form/form.ts';
import { Body } from '../../../src/manifest/model/body.ts';
import {
  actions,
  checkedChange,
  isChange,
  isHidden,
  plannedAction,
  type UncheckedChange,
} from '../../../src/plan/model/change.ts';
import { isTimeZone, limitPath, timeOfDay } from '../../../src/plan/model/limits.ts';
import { flagOf, permitNames, permits, permitsOf } from '../../../src/plan/model/permits.ts';
import { isEmptyPlan, isIdlePlan, isRefused } from '../../../src/plan/model/plan.ts';
import { priceOf } from '../../../src/plan/model/storageUse.ts';
import { changeWith } from '../changes.ts';
import { plan } from '../world.ts';

// biome-ignore format: a row is a case
test.each<[string, Form<unknown, never>, readonly unknown[], readonly unknown[]]>([
  ['text', text, ['', 'a'], [1, null]],
  ['a flag', flag, [true, false], ['true', 0]],
  ['a number', number, [-1.5, 0], ['1']],
  ['an amount', amount, [0, 1.5], [-0.1, '1']],
  ['an integer', integer, [-1, 0], [1.5, '1']],
  ['a count', count, [0, 1], [-1, 0.5, '1']],
  ['an ordinal', ordinal, [1], [0, 1.5, '1']],
  ['any JSON', json, [null, {}, 1], [undefined]],
  ['a choice', choice<string | number>('a', 2), ['a', 2], ['b', '2']],
  ['a dictionary', dictionary(count), [{}, { a: 1 }], [{ a: 1, b: -1 }, [], null]],
  ['a list', list(count), [[], [1]], [[1, -1], {}]],
  ['a nullable one', nullable(count), [null, 1], [-1, undefined]],
  ['either', either(text, count), ['a', 1], [-1, null]],
  ['an object', object({ a: text, b: optional(count) }), [{ a: '' }, { a: '', b: 1 }],
    [{}, { b: 1 }, { a: '', b: -1 }, { a: '', c: 1 }, []]],
  ['an object with optional members', object(optionals({ a: text })), [{}, { a: '' }], [{ a: 1 }]],
  ['a member for each name', each(['a', 'b'], count), [{ a: 1, b: 2 }], [{ a: 1 }, { a: 1, b: 2, c: 3 }]],
  ['at most one member for each name', some(['a', 'b'], count), [{}, { a: 1 }], [{ c: 1 }, { a: -1 }]],
])('%s', (_, form, right, wrong) => {
  expect(right.map(form.is)).toEqual(right.map(() => true));
  expect(wrong.map(form.is)).toEqual(wrong.map(() => false));
});

test('names of Object.prototype are not members', () => {
  expect(object({ a: optional(text) }).is({ toString: 'a' })).toBe(false);
  expect(object({ toString: text }).is({})).toBe(false);
});

test('writing keeps only the members of the form, in its order, without undefined ones', () => {
  const form = object({
    b: text,
    a: optional(list(object({ c: optional(count) }))),
    d: optional(nullable(list(text))),
  });
  const more = { a: [{ c: 1, x: 2 }, { c: undefined }], b: 'b', d: null, x: 1 };
  expect(JSON.stringify(form.write(more))).toBe('{"b":"b","a":[{"c":1},{}],"d":null}');
  expect(form.write({ b: 'b', d: ['x'] })).toStrictEqual({ b: 'b', d: ['x'] });
  const inner = object({ c: optional(count) });
  expect(either(text, inner).write('a')).toBe('a');
  expect(either(text, inner).write({ c: undefined })).toStrictEqual({});
  expect(each(['a'], inner).write({ a: {} })).toStrictEqual({ a: {} });
  expect(some(['a', 'b'], count).write({ b: 1 })).toStrictEqual({ b: 1 });
});

test.each<[Form<unknown, never>, unknown]>([
  [choice('a'), { const: 'a' }],
  [choice('a', 'b'), { enum: ['a', 'b'] }],
  [nullable(text), { type: ['string', 'null'] }],
  [nullable(choice('a')), { const: 'a', type: ['null'] }],
  [either(text, count), { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }] }],
  [dictionary(text), { type: 'object', additionalProperties: { type: 'string' } }],
  [
    object({ a: optional(text) }),
    { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
  ],
])('the schema of a form accepts the same values: %#', (form, schema) => {
  expect(form.schema).toEqual(schema);
});

test.each([
  ['00:00', true],
  ['23:59', true],
  ['24:00', true],
  ['24:01', false],
  ['9:00', false],
  ['12:60', false],
  ['x12:00', false],
  ['12:000', false],
])('%s is a time of day: %s', (time, is) => {
  expect(timeOfDay.test(time)).toBe(is);
});

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['+02:00', false],
  ['Nowhere/Else', false],
  [2, false],
])('%s is a time zone: %s', (zone, is) => {
  expect(isTimeZone(zone)).toBe(is);
});

test('a limit is written below its environment, as in gantry.yaml', () => {
  expect(limitPath({ at: 'environments.prod.limits' }, 'maxDeletes')).toBe(
    'gantry.yaml: environments.prod.limits.max-deletes',
  );
});

test('a permit is a flag; given permits are picked from among other options', () => {
  expect(flagOf('allowUnseen')).toBe('--allow-unseen');
  expect(flagOf('maxDeletes', 12)).toBe('--max-deletes=12');
  const given = { adopt: false, maxDeletes: 3, maxRisk: undefined, owner: 'shop' };
  expect(permitsOf(given)).toStrictEqual({ adopt: false, maxDeletes: 3 });
  expect(permitNames).toEqual(Object.keys(permits));
});

test.each<[keyof typeof permits, readonly unknown[], readonly unknown[]]>([
  ['adopt', [true, false], [1, 'true']],
  ['allowCollateral', [0, 3], [-1, 1.5, '1']],
  ['maxDeletes', [0, 3], [-1, 1.5, '1']],
  ['maxRisk', ['none', 'data-loss'], ['worst', 1]],
])('the permit %s accepts its own values', (name, right, wrong) => {
  expect(right.map(permits[name].is)).toEqual(right.map(() => true));
  expect(wrong.map(permits[name].is)).toEqual(wrong.map(() => false));
});

test.each([
  [0.1, 'any', 0.1],
  [{ fast: 0.2 }, 'fast', 0.2],
  [{ fast: 0.2 }, 'slow', undefined],
  [{ fast: 0.2 }, 'toString', undefined],
])('at %j a GB of the class %s costs %s', (storageGbMonth, performanceClass, price) => {
  expect(priceOf({ storageGbMonth, currency: 'EUR' }, performanceClass)).toBe(price);
});

test.each([
  [{ sensitive: true, changed: true }, true],
  [{ sensitive: false }, false],
  ['sensitive', false],
  [null, false],
  [undefined, false],
])('%j is the mask of a sensitive value: %s', (value, is) => {
  expect(isHidden(value)).toBe(is);
});

const named = { id: 'group/x', ref: { kind: 'group', name: 'x' }, kind: 'group', name: 'x' } as const;

test.each(actions.filter((action) => action !== 'refuse'))(
  'a change to %s is shown as that action unless it is refused',
  (action) => {
    expect(plannedAction(changeWith({ ...named, action }))).toBe(action);
    expect(plannedAction(changeWith({ ...named, action: 'refuse', intended: action }))).toBe(action);
  },
);

const body = new Body({}, {});
// biome-ignore format: a row is a case
const foreignTo: Readonly<Record<string, Partial<UncheckedChange>>> = {
  create: { patch: body, via: 'gvc/g', losesData: [], takes: [], victims: [], cause: {}, part: true, unowned: true },
  patch: { create: body, deleteRequires: [], via: 'gvc/g', losesData: [], unowned: true, renamedFrom: 'group/y' },
  replace: { patch: body, via: 'gvc/g', takes: [], victims: [], part: true, unowned: true, renamedFrom: 'group/y' },
  delete: { create: body, expected: body, then: body, thenRequires: [], expectedThen: body, cause: {}, takes: [],
    part: true },
  keep: { patch: body, cause: {}, then: body, losesData: [], victims: [], renamedFrom: 'group/y', deleteRequires: [] },
};

test.each(Object.entries(foreignTo))('a change to %s has no member of another action', (action, members) => {
  const known = actions.find((each) => each === action) ?? 'keep';
  const change = changeWith({ ...named, action: known });
  for (const [name, value] of Object.entries(members)) {
    expect([name, isChange({ ...change, [name]: value })]).toEqual([name, false]);
  }
  expect(() => checkedChange({ ...change, ...members })).toThrow(`group/x lacks what the action ${action} needs`);
});

test.each<[string, Parameters<typeof changeWith>[0] | undefined, readonly [boolean, boolean, boolean]]>([
  ['without changes', undefined, [true, true, false]],
  ['that keeps a resource', { ...named, action: 'keep' }, [true, true, false]],
  ['that waits for a kept resource', { ...named, action: 'keep', wait: true }, [true, false, false]],
  ['that writes', { ...named, action: 'patch', wait: true }, [false, false, false]],
  ['that is refused', { ...named, action: 'refuse' }, [false, false, true]],
])('a plan %s is empty, idle, refused: %j', (_, change, is) => {
  const made = { ...plan([], []), changes: change === undefined ? [] : [changeWith(change)] };
  expect([isEmptyPlan(made), isIdlePlan(made), isRefused(made)]).toEqual(is);
  const refused = { ...made, refusals: [{ code: 'a.b', message: 'no' }] };
  expect([isEmptyPlan(refused), isIdlePlan(refused), isRefused(refused)]).toEqual([false, false, true]);
});
