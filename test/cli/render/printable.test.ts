import { describe, expect, test } from 'vitest';
import { printable, renderValue } from '../../../src/terminal/printable.ts';

describe('a value in one line', () => {
  test.each([
    ['plain words', 'plain words'],
    ['registry/api:1.2', 'registry/api:1.2'],
    ['', '""'],
    [' padded ', '" padded "'],
    ['true', '"true"'],
    ['12', '"12"'],
    ['a "quoted" word', '"a \\"quoted\\" word"'],
    ['two\nlines', '"two\\nlines"'],
    [12, '12'],
    [true, 'true'],
    [null, 'null'],
    [['a', 1], '["a",1]'],
    [{ a: { b: 1 } }, '{"a":{"b":1}}'],
  ])('%j', (value, shown) => {
    expect(renderValue(value)).toBe(shown);
  });

  test('is truncated if it is very long', () => {
    const shown = renderValue('x'.repeat(5000));
    expect(shown.length).toBeLessThan(400);
    expect(shown).toContain('(5000 characters)');
  });
});

test('control characters and direction overrides are made visible', () => {
  expect(printable('a\u001b[2Jb\u202ec\rd')).toBe('a\\u001b[2Jb\\u202ec\\u000dd');
});
