import { expect, test } from 'vitest';
import { Body } from '../../../src/manifest/model/body.ts';
import { type Change, isChange, type UncheckedChange } from '../../../src/plan/model/change.ts';

const body = new Body({}, {});
const ref = { kind: 'group', name: 'people' } as const;
const common = {
  ...{ id: 'group/people', ref, ...ref, reason: '' },
  ...{ fields: [], requires: [], cascadesTo: [], wait: false, refusals: [], notes: [] },
} as const;
const live = { liveVersion: 1, liveUid: 'uid-1' } as const;
const written = { patch: body, expected: body, ...live } as const;
const made = { create: body, expected: body } as const;

const right = [
  { ...common, action: 'create', ...made },
  { ...common, action: 'patch', ...written },
  { ...common, action: 'adopt', ...written, then: body, expectedThen: body, thenRequires: [] },
  { ...common, action: 'forget', ...written },
  { ...common, action: 'replace', ...made, ...live, deleteRequires: [] },
  { ...common, action: 'delete', ...live, via: 'gvc/g' },
  { ...common, action: 'keep', unowned: true },
  { ...common, action: 'refuse', intended: 'patch' },
] as const satisfies readonly Change[];

test.each(right)('a change to $action has the fields that it requires', (change) => {
  expect(isChange(change)).toBe(true);
});

const wrong: readonly (readonly [string, UncheckedChange])[] = [
  ['a creation without a body', { ...common, action: 'create' }],
  ['a creation of a live record', { ...common, action: 'create', ...made, ...live }],
  ['an update without a version', { ...common, action: 'patch', patch: body, expected: body }],
  ['an update with a POST', { ...common, action: 'patch', ...written, create: body }],
  ['a replacement without the edges of its DELETE', { ...common, action: 'replace', ...made, ...live }],
  ['a deletion with a PATCH', { ...common, action: 'delete', ...live, patch: body }],
  ['a refusal without an intended action', { ...common, action: 'refuse' }],
  ['a refusal of a refusal', { ...common, action: 'refuse', intended: 'refuse' }],
  ['an intended action that is not refused', { ...common, action: 'keep', intended: 'patch' }],
];

test.each(wrong)('%s is not a valid change', (_, change) => {
  expect(isChange(change)).toBe(false);
});

test('an invalid change does not compile', () => {
  // @ts-expect-error: a creation requires its body
  const creation: Change = { ...common, action: 'create', expected: body };
  // @ts-expect-error: a deletion has no PATCH
  const deletion: Change = { ...common, action: 'delete', ...live, patch: body };
  // @ts-expect-error: a refused change has its intended action
  const refusal: Change = { ...common, action: 'refuse' };
  expect([creation, deletion, refusal].map(isChange)).toEqual([false, false, false]);
});
