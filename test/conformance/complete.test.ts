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

test('ids of rows and names of tests are unique, and every row belongs to a section of the outline', () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(tests.map(({ name }) => name)).size).toBe(tests.length);
  const sections = new Set(outline.map(sectionOf));
  expect(ids.filter((id) => !sections.has(sectionOf(id)))).toEqual([]);
});

test('each test name begins with the id of its row, and each known failure is the name of a test', () => {
  for (const row of table) {
    for (const { name } of row.tests) expect(name.startsWith(`[${row.id}] `)).toBe(true);
  }
  expect(knownFailures.filter((name) => !tests.some((one) => one.name === name))).toEqual([]);
});

test('each client operation of the specification is a command with its options, and has a row that runs it', async () => {
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

test('the common options of commands are those of the specification, with its defaults', () => {
  for (const { option, defaultText } of globalOptions) {
    const found = commonOptions.find(({ flags }) => flagsIn(flags).includes(option));
    expect(found, option).toMatchObject(defaultText === undefined ? { flags: expect.any(String) } : { defaultText });
  }
});

function nounNamed(kind: string): Noun {
  const noun = nouns.find((each) => each === kind);
  if (noun === undefined) throw new Error(`${kind} is no kind`);
  return noun;
}

/** The names of the options in a text such as `-o, --output <format>`. */
function flagsIn(flags: string): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'));
}

function sectionOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
