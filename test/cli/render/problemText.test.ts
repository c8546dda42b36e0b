import { describe, expect, test } from 'vitest';
import type { LocatedProblem } from '../../../src/manifest/model/locatedProblem.ts';
import { makePalette } from '../../../src/terminal/palette.ts';
import { renderProblems } from '../../../src/terminal/problemText.ts';

const palette = makePalette(false);

function problem(file: string, line: number, parts: Partial<LocatedProblem> = {}, hint = ''): LocatedProblem {
  return {
    rule: 'shape.enum',
    path: 'spec.type',
    pointer: ['spec', 'type'],
    message: 'must be one of serverless, standard, stateful, cron, vm, not "serverles"',
    ...(hint === '' ? {} : { hint }),
    severity: 'error',
    position: { file, line, column: 9 },
    ...parts,
  };
}

const suggestion = 'Did you mean "serverless"?';
// biome-ignore format: a row is a case
const problems = [
  problem('web.yaml', 5, { resource: 'workload/shop/web' }, suggestion),
  problem('web.yaml', 12,
    { resource: 'workload/shop/web', rule: 'value.literal', path: 'data', message: 'odd', severity: 'warning' }),
  problem('very/long/folder/api.yaml', 20, { resource: 'workload/shop/api' }, suggestion),
  problem('gantry.yaml', 1, { rule: 'input.encoding', path: '', message: 'the text is not UTF-8' }),
];

describe('problems', () => {
  test('are aligned after paths with wide characters', () => {
    const found = [problem('東京/東京.yaml', 5), problem('web.yaml', 12, { path: 'data' })];
    expect(renderProblems(found, { palette, width: 80 }).filter((line) => line.includes('yaml'))).toEqual([
      '東京/東京.yaml:5:9  error  shape.enum',
      'web.yaml:12:9       error  shape.enum',
    ]);
  });

  test('at 80 columns are aligned, wrapped at words, and reported once with their other places', () => {
    expect(renderProblems(problems, { palette, width: 80 })).toEqual([
      'web.yaml:5:9     error  workload/shop/web  shape.enum',
      '  spec.type: must be one of serverless, standard, stateful, cron, vm, not',
      '  "serverles"',
      '  Did you mean "serverless"?',
      '  and 1 more like it: very/long/folder/api.yaml:20:9 (workload/shop/api)',
      'web.yaml:12:9    warning  workload/shop/web  value.literal',
      '  data: odd',
      'gantry.yaml:1:9  error  input.encoding',
      '  the text is not UTF-8',
    ]);
  });

  test('at 120 columns take fewer lines', () => {
    expect(renderProblems(problems, { palette, width: 120 }).slice(1, 3)).toEqual([
      '  spec.type: must be one of serverless, standard, stateful, cron, vm, not "serverles"',
      '  Did you mean "serverless"?',
    ]);
  });

  test('in a file have one line each, which begins with the place, the rule and the path', () => {
    const lines = renderProblems(problems, { palette, width: Number.POSITIVE_INFINITY });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      'web.yaml:5:9  shape.enum  spec.type  must be one of serverless, standard, stateful, cron, vm, not "serverles"  Did you mean "serverless"?  in workload/shop/web  and 1 more like it: very/long/folder/api.yaml:20:9 (workload/shop/api)',
    );
  });

  test('in colour have the same text', () => {
    const colored = renderProblems(problems, { palette: makePalette(true), width: 80 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is taken out
    expect(colored.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''))).toEqual(
      renderProblems(problems, { palette, width: 80 }),
    );
    expect(colored[0]).toContain('\u001b[31merror');
  });

  test('of a large number count the places that they omit', () => {
    const many = Array.from({ length: 9 }, (_, index) => problem(`f${index}.yaml`, 1));
    expect(renderProblems(many, { palette, width: 80 }).at(-1)).toBe('  f5.yaml:1:9 and 3 others');
  });
});
