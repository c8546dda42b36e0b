import fc from 'fast-check';
import { expect, test } from 'vitest';
import { githubAnnotations } from '../../../src/report/githubAnnotations.ts';
import { hostileReport } from '../hostileReports.ts';
import { reportOf } from '../makeReports.ts';

const problem = { file: 'shop.yaml', line: 12, column: 3, rule: 'W12', path: 'spec.type', message: 'unknown' };

test('a finding is an annotation at its line', () => {
  const problems = [
    { ...problem, severity: 'error' as const, hint: 'Take standard.' },
    { ...problem, file: 'a,b:c%.yaml', severity: 'warning' as const, message: '100% of\nit' },
  ];
  expect(githubAnnotations(reportOf({ problems }))).toEqual([
    '::error file=shop.yaml,line=12,col=3,title=gantry%3A W12::spec.type: unknown. Take standard.',
    '::warning file=a%2Cb%3Ac%25.yaml,line=12,col=3,title=gantry%3A W12::spec.type: 100%25 of\\u{a}it',
  ]);
});

test("findings beyond GitHub's limit are counted", () => {
  const problems = Array.from({ length: 25 }, (_, index) => ({
    ...problem,
    line: index + 1,
    severity: 'error' as const,
  }));
  const lines = githubAnnotations(reportOf({ problems }));
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe('and 15 more findings without an annotation: GitHub shows 10 of a step');
});

test('each annotation is one line and one command, whatever text is in it', () => {
  fc.assert(
    fc.property(hostileReport, (report) => {
      for (const line of githubAnnotations(report)) {
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        // A runner reads properties up to the first `::`, separated by commas.
        expect(line).toMatch(
          /^::(error|warning) ((file|title)=[^,:]*|(line|col)=\d+)(,((file|title)=[^,:]*|(line|col)=\d+))*::/,
        );
      }
    }),
  );
});
