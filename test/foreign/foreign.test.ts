import { expect, it } from 'vitest';
import { scenario } from './scenario.ts';
import { combination, randomFrom, type SwitchName, switchNames } from './server/switches.ts';

/** Each has found something; `node test/foreign/run.ts` runs all of them. */
const sample: readonly (readonly SwitchName[])[] = [
  [],
  ['reveal-403-masked'],
  ['spec-empty'],
  ['items-without-spec'],
  ['cut-total'],
  ['default-timeout-15'],
  ['gone-410'],
  ['null-ignored'],
  ['unknown-401'],
  ['default-protocol-tcp', 'items-by-index'],
  ['list-directives-stored', 'wrong-answers'],
  ['default-protocol-tcp', 'list-directives-stored'],
  ['patch-refuses-version', 'versions-jump', 'lists-appended'],
  ['values-long', 'lists-appended', 'only-drop', 'links-none'],
  ['lists-merged', 'only-drop'],
  ['own-tags-change', 'versions-epoch'],
  ['own-tags-change', 'audit-whole'],
  ['versions-constant', 'list-directives-stored'],
  ['list-directives-stored', 'image-registry', 'versions-jump'],
  ['lists-merged', 'default-protocol-tcp'],
  ['only-drop', 'null-for-absent'],
  ['own-tags-change', 'patch-refuses-id-and-version', 'versions-jump'],
  ['image-registry', 'lost-answers'],
];

/** Others every day. */
const random = randomFrom(Math.floor(Date.now() / 86_400_000));
const handful = Array.from({ length: 2 }, () => switchNames.slice(Math.floor(random() * 100)).slice(0, 1));

it.each([...sample, ...handful].map((names) => [names.join(' and ') || 'no switch', names] as const))(
  'a stack lives on a platform with %s without a wrong change or a false word',
  async (_, names) => {
    const findings = await scenario(names);
    expect(findings).toEqual([]);
  },
);

it('a seed gives the same combination of two to four subjects each time', () => {
  const names = combination(7);
  expect(combination(7)).toEqual(names);
  expect(names.length).toBeGreaterThanOrEqual(2);
  expect(new Set(names).size).toBe(names.length);
});
