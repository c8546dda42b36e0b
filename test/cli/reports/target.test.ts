import { expect, test } from 'vitest';
import { parseTarget } from '../../../src/cli/output/reported.ts';

test.each([
  ['plan.xml', 'junit', 'plan.xml'],
  ['out/plan.sarif', 'sarif', 'out/plan.sarif'],
  ['plan.sarif.json', 'sarif', 'plan.sarif.json'],
  ['gl.codequality.json', 'codequality', 'gl.codequality.json'],
  ['plan.json', 'json', 'plan.json'],
  ['PLAN.JSON', 'json', 'PLAN.JSON'],
  ['json:plan.xml', 'json', 'plan.xml'],
  ['codequality:gl.json', 'codequality', 'gl.json'],
  ['junit:/dev/stdout', 'junit', '/dev/stdout'],
  ['json:a:b', 'json', 'a:b'],
  ['./a:b.json', 'json', './a:b.json'],
  ['C:/out/plan.json', 'json', 'C:/out/plan.json'],
])('--report %s is %s in %s', (text, form, file) => {
  const target = parseTarget(text);
  expect({ form: target.form.name, file: target.file }).toEqual({ form, file });
});

test.each([
  ['plan.pdf', 'does not tell the format'],
  ['plan', 'does not tell the format'],
  ['pdf:plan.json', 'there is no format pdf'],
  ['json:', 'names no file'],
  ['', 'names no file'],
  ['-', 'names no file'],
])('--report %s is refused', (text, message) => {
  expect(() => parseTarget(text)).toThrow(
    expect.objectContaining({ code: 'cli.usage', message: expect.stringContaining(message) }),
  );
});
