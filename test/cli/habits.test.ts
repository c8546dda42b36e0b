import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/run.ts';
import { aliases, inOwnWords, inOwnWordsUntil, instead, verbs } from '../../src/terminal/habits.ts';
import { nouns } from '../../src/terminal/nouns.ts';
import { commandNames } from './helpPages.ts';

const ownFirstWords = new Set(commandNames.map((name) => name.split(' ')[0]));

describe('a command of another tool with the same meaning runs ours', () => {
  test.each([
    { typed: ['diff', 'shop'], runs: ['plan', 'shop'] },
    { typed: ['preview'], runs: ['plan'] },
    { typed: ['up', '--yes'], runs: ['apply', '--yes'] },
    { typed: ['down'], runs: ['destroy'] },
    { typed: ['import', 'gvc/shop'], runs: ['adopt', 'gvc/shop'] },
    { typed: ['version'], runs: ['--version'] },
    { typed: ['-v'], runs: ['--version'] },
    { typed: ['get', 'workload', 'web'], runs: ['workload', 'get', 'web'] },
    { typed: ['get', 'workloads'], runs: ['workload', 'get'] },
    { typed: ['get', 'policies'], runs: ['policy', 'get'] },
    { typed: ['delete', 'vs', 'data'], runs: ['volumeset', 'delete', 'data'] },
    { typed: ['wl', 'get'], runs: ['workload', 'get'] },
    { typed: ['SA', 'get'], runs: ['serviceaccount', 'get'] },
    { typed: ['help', 'workload'], runs: ['workload', '--help'] },
    { typed: ['help', 'wl', 'get'], runs: ['workload', 'get', '--help'] },
    { typed: ['help', 'get', 'secrets'], runs: ['secret', 'get', '--help'] },
    { typed: ['help', 'policy'], runs: ['policy', '--help'] },
    { typed: ['help', 'policy', 'test'], runs: ['help', 'policy', 'test'] },
    { typed: ['help', 'diff'], runs: ['help', 'plan'] },
  ])('$typed', ({ typed, runs }) => {
    expect(inOwnWords(typed)).toEqual(runs);
  });
});

test.each([
  { typed: ['wl', 'get', 'w'], completes: ['workload', 'get', 'w'] },
  { typed: ['get', 'wl', ''], completes: ['workload', 'get', ''] },
  { typed: ['diff', '--'], completes: ['plan', '--'] },
  { typed: ['help', 'work'], completes: ['work'] },
  { typed: ['help', 'wl', ''], completes: ['workload', ''] },
  { typed: ['w'], completes: ['w'] },
])('$typed is completed as $completes', ({ typed, completes }) => {
  expect(inOwnWordsUntil(typed)).toEqual(completes);
});

test('our own commands are unchanged', () => {
  const lines = [...ownFirstWords, ...nouns].map((word) => [word ?? '', 'get']);
  expect(lines.map(inOwnWords)).toEqual(lines);
});

test('no command of another tool has the name of ours', () => {
  const foreign = [...aliases.keys(), ...instead.keys(), ...verbs];
  expect(foreign.filter((word) => ownFirstWords.has(word))).toEqual([]);
});

test.each([...instead])('%s is an error that says what to use', async (word, hint) => {
  await expect(parseCommandLine([word], async () => {})).rejects.toMatchObject({ code: 'cli.usage', hint });
  expect(hint).toMatch(/\.$/);
});

test('gantry alone prints its help and succeeds', async () => {
  await expect(parseCommandLine([], async () => {})).resolves.toBeUndefined();
});
