import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { toYaml } from '../../../src/project/files/toYaml.ts';

test('a document is written as YAML', async () => {
  expect(await toYaml({ a: ['b', { c: 1 }], d: 'two\nlines\n' })).toBe('a:\n  - b\n  - c: 1\nd: |\n  two\n  lines\n');
});

test('a text too long for unquoted YAML is still written', async () => {
  const value = { name: 'web', data: 'x'.repeat(8_000_000) };
  expect(load(await toYaml(value))).toEqual(value);
});

test('a text that would reverse the direction of a line is escaped, and read back unchanged', async () => {
  const value = { name: 'web', description: 'a \u202e b' };
  const text = await toYaml(value);
  expect(text).not.toContain('\u202e');
  expect(load(text)).toEqual(value);
});
