import { expect, it } from 'vitest';
import { scenario } from './scenario.ts';
import { combination, randomFrom, type SwitchName, switchNames } from './server/switches.ts';

/** Each of these has found a fault; `node test/foreign/run.ts` runs all combinations. */
const sample: readonly (readonly SwitchName[])[] = [
  [],
  ['list-directives-stored', 'wrong-answers'],
  ['own-tags-change', 'audit-whole'],
  ['versions-constant', 'list-directives-stored'],
  ['list-directives-stored', 'image-registry', 'versions-jump'],
  ['own-tags-change', 'patch-refuses-id-and-version', 'versions-jump'],
  ['image-registry', 'lost-answers'],
];

/** These find faults without kills, which take half of the time. */
const unkilled: readonly (readonly SwitchName[])[] = [
  ['reveal-403-masked'],
  ['spec-empty'],
  ['items-without-spec'],
  ['cut-total'],
  ['default-timeout-15'],
  ['gone-410'],
  ['null-ignored'],
  ['unknown-401'],
  ['default-protocol-tcp', 'items-by-index'],
  ['default-protocol-tcp', 'list-directives-stored'],
  ['patch-refuses-version', 'versions-jump', 'lists-appended'],
  ['values-long', 'lists-appended', 'only-drop', 'links-none'],
  ['lists-merged', 'only-drop'],
  ['own-tags-change', 'versions-epoch'],
  ['lists-merged', 'default-protocol-tcp'],
  ['only-drop', 'null-for-absent'],
];

/** Different ones every day. */
const random = randomFrom(Math.floor(Date.now() / 86_400_000));
const handful = Array.from({ length: 2 }, () => switchNames.slice(Math.floor(random() * 100)).slice(0, 1));

const withKills = [...sample, ...handful].map((names) => ({ names, kills: true }));
const all = [...withKills, ...unkilled.map((names) => ({ names, kills: false }))];

it.each(all.map(({ names, kills }) => [names.join(' and ') || 'no switch', names, kills] as const))(
  'a stack works on a platform with %s without a wrong change or message',
  async (_, names, kills) => {
    expect(await scenario(names, { kills })).toEqual([]);
  },
);

it('a seed gives the same combination of two to four subjects each time', () => {
  const names = combination(7);
  expect(combination(7)).toEqual(names);
  expect(names.length).toBeGreaterThanOrEqual(2);
  expect(new Set(names).size).toBe(names.length);
});
