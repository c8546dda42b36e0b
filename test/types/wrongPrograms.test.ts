import { beforeAll, describe, expect, test } from 'vitest';
import { compile } from './compile.ts';
import { prelude, wrongPrograms } from './wrongPrograms.ts';

let said: ReadonlyMap<string, string> = new Map();
const all = Object.values(wrongPrograms).flat();

beforeAll(async () => {
  said = await compile(new Map([['prelude', prelude], ...all.map(([it, code]) => [it, prelude + code] as const)]));
});

test('the prelude alone compiles', () => expect(said.get('prelude')).toBe(''));

describe.each(Object.entries(wrongPrograms))('%s', (_, programs) => {
  test.each(programs)('%s', (it, _code, says) => {
    expect(said.get(it)).toMatch(says);
    expect(said.get(it)?.match(/error TS/g)).toHaveLength(1);
  });
});

test('there are at least 80 programs', () => expect(all.length).toBeGreaterThanOrEqual(80));
