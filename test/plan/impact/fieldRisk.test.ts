import { describe, expect, test } from 'vitest';
import { fieldRisk, planRisk } from '../../../src/plan/consequences/risk.ts';
import type { FieldChange } from '../../../src/plan/model/change.ts';
import { actionCounts } from '../../../src/plan/model/plan.ts';
import type { FieldFacts } from '../../../src/schema/facts/fieldFacts.ts';
import type { Risk } from '../../../src/schema/facts/risk.ts';
import type { DirectedRisk } from '../../../src/schema/facts/riskFacts.ts';
import type { ScalarShape, Shape } from '../../../src/schema/shape/shape.ts';

type Value = FieldChange['old'];

/** The risk of a change of the field `x`, the only field of the record. */
function riskOf(x: Shape, old: Value, next: Value, path = 'x'): Risk {
  const field = { path, ...(old === undefined ? {} : { old }), ...(next === undefined ? {} : { new: next }) };
  return fieldRisk({ type: 'object', fields: new Map([['x', x]]), facts: {} }, field, { org: 'o' });
}

const scalar = (of: ScalarShape['of'], risk: DirectedRisk, facts: FieldFacts = {}): Shape => ({
  ...{ type: 'scalar', of, facts: { ...facts, risk } },
});

const reserves: DirectedRisk = { more: 'cost-up', less: 'capacity-down', toNothing: 'downtime' };
const amount = scalar('number', reserves);
const ifSet = scalar('number', { ...reserves, absentIs: 0 });
const usually = (fill: FieldFacts['fill']): Shape =>
  scalar('number', reserves, { default: 2, ...(fill === undefined ? {} : { fill }) });
const flag = scalar('boolean', reserves);
const cpu = scalar('string', reserves, { quantity: 'cpu' });
const memory = scalar('string', reserves, { quantity: 'memory' });
const admits: DirectedRisk = { more: 'exposure', less: 'endpoint-change', changed: 'metadata' };
const word = scalar('string', admits);
const anyWord = scalar('string', { more: 'exposure', less: 'endpoint-change' });
const ordered = scalar('string', { ...admits, order: ['few', 'some', 'all'] });
const free: Shape = { type: 'free', facts: { risk: admits } };
const hidden = { sensitive: true, changed: true } as const;
const list = (risk: DirectedRisk): Shape => ({
  ...{ type: 'list', item: { type: 'scalar', of: 'string', facts: {} }, facts: { risk, list: { class: 'set' } } },
});
const everything = list({ more: 'exposure', less: 'endpoint-change', absentIs: Number.POSITIVE_INFINITY });

test.each<[string, Shape, Value, Value, Risk]>(
  // biome-ignore format: a row is a case
  [
    ['a larger amount', amount, 1, 2, 'cost-up'],
    ['a smaller amount', amount, 2, 1, 'capacity-down'],
    ['a zero amount', amount, 2, 0, 'downtime'],
    ['an equal amount', amount, 2, 2, 'none'],
    ['an amount where none was set: the worse of both', amount, undefined, 2, 'capacity-down'],
    ['an amount where none was set, if more is worse', scalar('number', { more: 'exposure', less: 'metadata' }),
      undefined, 2, 'exposure'],
    ['zero where none was set: the worst', amount, undefined, 0, 'downtime'],
    ['an amount that is removed: the worst', amount, 2, undefined, 'downtime'],
    ['an amount if absent means zero', ifSet, undefined, 2, 'cost-up'],
    ['no amount if absent means zero', ifSet, 2, undefined, 'downtime'],
    ['more than the constant default', usually('constant'), undefined, 3, 'cost-up'],
    ['more than the default that comes back', usually('irremovable'), undefined, 3, 'cost-up'],
    ['more than the default that operators change', usually('operational'), undefined, 3, 'cost-up'],
    ['an amount if the platform chose one before', usually('service'), undefined, 3, 'capacity-down'],
    ['switched on', flag, false, true, 'cost-up'],
    ['switched off', flag, true, false, 'downtime'],
    ['fewer millicores', cpu, '1', '500m', 'capacity-down'],
    ['more cores, as a number', cpu, 1, 2, 'cost-up'],
    ['as many cores in another unit', cpu, 1, '1000m', 'none'],
    ['more bytes', memory, '512Mi', '1Gi', 'cost-up'],
    ['as many bytes in another unit', memory, '1Gi', '1024Mi', 'none'],
    ['a word where none was set', word, undefined, 'a', 'exposure'],
    ['a removed word', word, 'a', undefined, 'endpoint-change'],
    ['another word', word, 'a', 'b', 'metadata'],
    ['another word without a known order: the worst', anyWord, 'a', 'b', 'exposure'],
    ['a later word', ordered, 'few', 'all', 'exposure'],
    ['an earlier word', ordered, 'all', 'some', 'endpoint-change'],
    ['a word that is not in the order: the worst', ordered, 'all', 'other', 'exposure'],
    ['a value that is no word of the order: the worst', ordered, 'all', null, 'exposure'],
    ['other JSON', free, { a: 1 }, { a: 2 }, 'metadata'],
    ['a hidden value: the worst', word, hidden, hidden, 'exposure'],
    ['a value that was hidden: the worst', word, hidden, 'b', 'exposure'],
    ['a value that becomes hidden: the worst', word, 'a', hidden, 'exposure'],
    ['one item instead of all is less', everything, undefined, ['a'], 'endpoint-change'],
    ['no list instead of a list is all', everything, ['a'], undefined, 'exposure'],
    ['one more item', everything, ['a'], ['a', 'b'], 'exposure'],
    ['one item less', everything, ['a', 'b'], ['a'], 'endpoint-change'],
    ['no item', list({ ...admits, toNothing: 'downtime' }), ['a'], [], 'downtime'],
  ],
)('%s', (_, shape, old, next, risk) => {
  expect(riskOf(shape, old, next)).toBe(risk);
});

describe('a nested field', () => {
  test.each<[string, FieldFacts, Risk]>([
    ['has the risk of its parent, and the worst of both directions', { risk: reserves }, 'downtime'],
    ['has the risk of its parent', { risk: 'rolling-restart' }, 'rolling-restart'],
    ['is metadata if nothing is known', {}, 'metadata'],
  ])('%s', (_, facts, risk) => {
    expect(riskOf({ type: 'object', fields: new Map(), facts }, 1, 2, 'x.unknown')).toBe(risk);
  });
});

const guard = 'tags."scheme/protected"';
test.each<[Value, Value, Risk]>([
  ['true', undefined, 'exposure'],
  [true, 'false', 'exposure'],
  ['true', true, 'metadata'],
  ['false', undefined, 'metadata'],
  [undefined, 'true', 'metadata'],
])('a change of deletion protection from %j to %j can do: %s', (old, next, risk) => {
  const tags: Shape = { type: 'map', value: { type: 'scalar', of: 'any', facts: {} }, facts: { risk: 'metadata' } };
  const field = { path: guard, ...(old === undefined ? {} : { old }), ...(next === undefined ? {} : { new: next }) };
  expect(fieldRisk({ type: 'object', fields: new Map([['tags', tags]]), facts: {} }, field, { org: 'o' })).toBe(risk);
});

test('the risk of a plan is the worst of its changes, and none without known risks', () => {
  expect(planRisk([{ risk: 'metadata' }, { risk: 'data-loss' }, {}, { risk: 'cost-up' }])).toBe('data-loss');
  expect(planRisk([{}])).toBe('none');
});

test('each action is counted, including those with no changes', () => {
  const changes = (['create', 'patch', 'create', 'refuse'] as const).map((action) => ({ action }));
  expect(actionCounts(changes)).toEqual({
    ...{ create: 2, patch: 1, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 1 },
  });
});
