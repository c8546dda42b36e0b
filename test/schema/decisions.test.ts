import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../src/', import.meta.url).pathname;
const log = readFileSync(join(root, 'schema/decisions.ts'), 'utf8');

const code = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('schema/decisions.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
const named = new Set(code.match(/\w+/g));

/** Each with the comment above it, which may be about several. */
const decisions = [...log.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n((?:export const [\s\S]*?)(?=\n\n|$))/g)].flatMap(
  ([, comment = '', constants = '']) =>
    [...constants.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => ({ name, comment })),
);

test('every decision is found', () => {
  expect(decisions.map(({ name }) => name)).toEqual([...log.matchAll(/^export const (\w+)/gm)].map(([, name]) => name));
});

test.each(decisions)('the decision $name is named in the code, or says where it holds', ({ name, comment }) => {
  const places = [...comment.matchAll(/`(\w[\w/]*\.ts)`/g)].map(([, place = '']) => place);
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
  expect(named.has(name) || places.length > 0).toBe(true);
});
