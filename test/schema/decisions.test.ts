import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = new URL('../../src/', import.meta.url).pathname;

const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('decisions.ts'))
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .join('\n');
const named = new Set(code.match(/\w+/g));

/** Below which folder the places lie that a log names. */
const logs = [
  { log: 'server/rules/decisions.ts', root: 'server' },
  { log: 'server/rules/volumes/decisions.ts', root: 'server' },
];

/** Each with the comment above it, which may be about several. */
const decisions = logs.flatMap(({ log, root }) => {
  const text = readFileSync(join(source, log), 'utf8');
  const blocks = [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n((?:export const [\s\S]*?)(?=\n\n|$))/g)];
  return blocks.flatMap(([, comment = '', constants = '']) =>
    [...constants.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => ({ log, root, name, comment })),
  );
});

test.each(logs)('every decision of $log is found', ({ log }) => {
  const exported = readFileSync(join(source, log), 'utf8').matchAll(/^export const (\w+)/gm);
  const found = decisions.filter((decision) => decision.log === log).map(({ name }) => name);
  expect(found).toEqual([...exported].map(([, name]) => name));
});

test.each(decisions)('the decision $name is named in the code, or says where it holds', ({ root, name, comment }) => {
  const places = [...comment.matchAll(/`(\w[\w/]*\.ts)`/g)].map(([, place = '']) => place);
  expect(places.filter((place) => !existsSync(join(source, root, place)))).toEqual([]);
  expect(named.has(name) || places.length > 0).toBe(true);
});
