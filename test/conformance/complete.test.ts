import { expect, test } from 'vitest';
import { commonOptions } from '../../src/commands/table/options.ts';
import { allRows } from '../../src/commands/table/rows.ts';
import { type Noun, nouns } from '../../src/terminal/nouns.ts';
import { knownFailures } from './knownFailures.ts';
import { globalOptions, operationsOfClient } from './operationsOfClient.ts';
import { outline } from './outline.ts';
import { table } from './table.ts';

const ids = table.map(({ id }) => id);
const tests = table.flatMap((row) => row.tests);

test('every statement of the specification has its row, and every row a test', () => {
  expect(outline.filter((id) => !ids.includes(id))).toEqual([]);
  expect(table.filter((row) => row.tests.length === 0)).toEqual([]);
});

test('no row and no test is listed twice, and every row belongs to a section that was read', () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(tests.map(({ name }) => name)).size).toBe(tests.length);
  const sections = new Set(outline.map(sectionOf));
  expect(ids.filter((id) => !sections.has(sectionOf(id)))).toEqual([]);
});

test('the names of tests begin with the id of their row, and known failures are names of tests', () => {
  for (const row of table) {
    for (const { name } of row.tests) expect(name.startsWith(`[${row.id}] `)).toBe(true);
  }
  expect(knownFailures.filter((name) => !tests.some((one) => one.name === name))).toEqual([]);
});

test('every operation of a client that the specification lists is a command, with its options, and a row runs it', async () => {
  const rows = await allRows();
  const wrong = operationsOfClient.flatMap(({ kind, verb, options = [], row }) => {
    const command = rows.get(nounNamed(kind))?.find((each) => each.verb === verb);
    const has = (option: string) => command?.options?.some(({ flags }) => flagsIn(flags).includes(option));
    return [
      ...(command === undefined ? [`gantry ${kind} ${verb} is no command`] : []),
      ...options.filter((option) => has(option) !== true).map((option) => `gantry ${kind} ${verb} has no ${option}`),
      ...(ids.includes(`clients/${row}`) ? [] : [`there is no row clients/${row}`]),
    ];
  });
  expect(wrong).toEqual([]);
});

test('the options of all commands are those that the specification lists, with its defaults', () => {
  for (const { option, usual } of globalOptions) {
    const found = commonOptions.find(({ flags }) => flagsIn(flags).includes(option));
    expect(found, option).toMatchObject(usual === undefined ? { flags: expect.any(String) } : { usual });
  }
});

function nounNamed(kind: string): Noun {
  const noun = nouns.find((each) => each === kind);
  if (noun === undefined) throw new Error(`${kind} is no kind`);
  return noun;
}

/** `-o, --output <format>` */
function flagsIn(flags: string): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'));
}

function sectionOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
