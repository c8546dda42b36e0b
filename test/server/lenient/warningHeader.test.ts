import { expect, test } from 'vitest';
import type { Problem } from '../../../src/schema/record/problem.ts';
import { warningHeader } from '../../../src/server/records/writtenReply.ts';

const problem = (rule: string, path: string, message: string): Problem => {
  return { rule, path, message, pointer: [], severity: 'warning' };
};

// biome-ignore format: a row is a case
test.each<[string, readonly Problem[], string | undefined]>([
  ['no warning', [], undefined],
  ['one warning', [problem('W19', 'spec.a', 'too much')], 'W19;path="spec.a";message="too much"'],
  ['two warnings', [problem('V5', 'spec', 'a'), problem('domain.cipher-suites', '', 'b')],
    'V5;path="spec";message="a", domain.cipher-suites;path="";message="b"'],
  ['quotation marks, backslashes and separators in a text', [problem('V5', 'tags."a.b"', 'x\\y, z; "q"')],
    'V5;path="tags.\\"a.b\\"";message="x\\\\y, z; \\"q\\""'],
  ['characters beyond ASCII', [problem('V5', 'é', '…%\n')], 'V5;path="%C3%A9";message="%E2%80%A6%25%0A"'],
  ['half of a surrogate pair', [problem('V5', '', '\ud83d')], 'V5;path="";message="%EF%BF%BD"'],
])('the warning header is written for %s', (_, warnings, header) => {
  expect(warningHeader(warnings)).toBe(header);
});

test('the warning header stays short: long texts are cut, and the remaining warnings counted', () => {
  const many = Array.from({ length: 100 }, (_, index) => problem('V5', `p${index}`, 'm'.repeat(1_000)));
  const header = warningHeader(many) ?? '';
  expect(header.length).toBeLessThan(6_100);
  const shown = header.split(', ').length - 1;
  expect(header.endsWith(`, more;count=${100 - shown}`)).toBe(true);
});
