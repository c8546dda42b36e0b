import { expect, test } from 'vitest';
import { permits } from '../../../src/plan/model/permits.ts';
import { risks } from '../../../src/schema/facts/risk.ts';

/** The facts about a permit, without its form. */
const flag = { default: false };
const exact = { value: '<n>', default: 0, exact: true };

test.each<[keyof typeof permits, Readonly<Record<string, unknown>>, { readonly forDeletion: boolean }]>([
  ['adopt', flag, { forDeletion: false }],
  ['prune', flag, { forDeletion: false }],
  ['allowEmpty', flag, { forDeletion: false }],
  ['revertOperational', flag, { forDeletion: false }],
  ['writeUnknownSecrets', flag, { forDeletion: false }],
  ['allowUnmarked', flag, { forDeletion: false }],
  ['allowUnseen', flag, { forDeletion: true }],
  ['allowCollateral', exact, { forDeletion: true }],
  ['allowDangling', exact, { forDeletion: true }],
  ['allowDataLoss', exact, { forDeletion: true }],
  ['allowLostValues', exact, { forDeletion: true }],
  ['maxDeletes', { value: '<n>', default: 10 }, { forDeletion: true }],
  ['maxChanges', { value: '<n>' }, { forDeletion: true }],
  ['maxRisk', { value: '<risk>', choices: risks }, { forDeletion: true }],
])('%s', (name, said, deletion) => {
  const { is: _, schema: __, write: ___, help: ____, read: _____, ...rest } = permits[name];
  expect(rest).toStrictEqual({ ...said, ...deletion });
});

test.each<[keyof typeof permits, object]>([
  ['prune', { type: 'boolean' }],
  ['allowDataLoss', { type: 'integer', minimum: 0 }],
  ['maxChanges', { type: 'integer', minimum: 0 }],
  ['maxRisk', { enum: risks }],
])('the schema of %s contains its values, and its help as description', (name, values) => {
  expect(permits[name].schema).toEqual({ ...values, description: permits[name].help });
});

test('a permit is written in its own form', () => {
  expect([permits.prune.write(true), permits.maxDeletes.write(3), permits.maxRisk.write('downtime')]).toEqual([
    true,
    3,
    'downtime',
  ]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '3', null])('%s is not a number of resources', (value) => {
  expect(permits.maxDeletes.is(value)).toBe(false);
});
