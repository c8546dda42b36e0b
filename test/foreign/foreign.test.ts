import { expect, it } from 'vitest';
import { scenario } from './scenario.ts';
import { combination, rowsOf, type SwitchName } from './server/switches.ts';

interface Platform {
  readonly names: readonly SwitchName[];
  /** Whether applies are killed too, which takes half of the time. @default false */
  readonly kills?: boolean;
}

/** Each of these has found a fault; `GANTRY_FOREIGN=all` runs them, `node test/foreign/run.ts` all switches. */
const found: readonly Platform[] = [
  { names: [], kills: true },
  { names: ['list-directives-stored', 'wrong-answers'], kills: true },
  { names: ['own-tags-change', 'audit-whole'], kills: true },
  { names: ['versions-constant', 'list-directives-stored'], kills: true },
  { names: ['list-directives-stored', 'image-registry', 'versions-jump'], kills: true },
  { names: ['own-tags-change', 'patch-refuses-id-and-version', 'versions-jump'], kills: true },
  { names: ['image-registry', 'lost-answers'], kills: true },
  { names: ['reveal-403-masked'] },
  { names: ['spec-empty'] },
  { names: ['items-without-spec'] },
  { names: ['cut-total'] },
  { names: ['default-timeout-15'] },
  { names: ['gone-410'] },
  { names: ['null-ignored'] },
  { names: ['unknown-401'] },
  { names: ['default-protocol-tcp', 'items-by-index'] },
  { names: ['default-protocol-tcp', 'list-directives-stored'] },
  { names: ['patch-refuses-version', 'versions-jump', 'lists-appended'] },
  { names: ['values-long', 'lists-appended', 'only-drop', 'links-none'] },
  { names: ['lists-merged', 'only-drop'] },
  { names: ['own-tags-change', 'versions-epoch'] },
  { names: ['lists-merged', 'default-protocol-tcp'] },
  { names: ['only-drop', 'null-for-absent'] },
];

/** A test run has each of their switches once, in as few lives as the subjects of switches allow. */
const sample: readonly Platform[] = [
  { names: [], kills: true },
  { names: ['image-registry', 'lost-answers'], kills: true },
  { names: ['list-directives-stored', 'versions-jump', 'wrong-answers'] },
  { names: ['own-tags-change', 'patch-refuses-id-and-version', 'audit-whole'] },
  { names: ['reveal-403-masked', 'spec-empty', 'versions-constant', 'null-for-absent'] },
  { names: ['cut-total', 'default-timeout-15', 'versions-epoch', 'unknown-401'] },
  { names: ['default-protocol-tcp', 'items-by-index', 'items-without-spec', 'gone-410', 'null-ignored'] },
  { names: ['lists-merged', 'only-drop', 'values-long', 'links-none'] },
  { names: ['lists-appended', 'patch-refuses-version'] },
];

const isEvery = process.env['GANTRY_FOREIGN'] === 'all';

it.each(
  (isEvery ? [...sample, ...found] : sample).map((each) => [each.names.join(' and ') || 'no switch', each] as const),
)('a stack works on a platform with %s without a wrong change or message', async (_, { names, kills = false }) => {
  expect(await scenario(names, { kills })).toEqual([]);
});

it('a test run has each switch that has found a fault, and at most one of a subject at the same time', () => {
  const switchesOf = (platforms: readonly Platform[]) => new Set(platforms.flatMap(({ names }) => names));
  expect(switchesOf(sample)).toEqual(switchesOf(found));
  for (const { names } of sample) expect(new Set(rowsOf(names).map(({ about }) => about)).size).toBe(names.length);
});

it('a seed gives the same combination of two to four subjects each time', () => {
  const names = combination(7);
  expect(combination(7)).toEqual(names);
  expect(names.length).toBeGreaterThanOrEqual(2);
  expect(new Set(names).size).toBe(names.length);
});
