import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderCodequality } from '../../../src/report/renderCodequality.ts';
import { hostileReport } from '../hostileReports.ts';
import { reportOf } from '../makeReports.ts';

test('each finding has its place, its severity and a fingerprint', () => {
  const problem = { file: 'shop.yaml', line: 12, column: 3, rule: 'W12', path: 'spec.type', message: 'unknown' };
  const problems = [
    { ...problem, severity: 'error' as const, resource: 'workload/shop/web' },
    { ...problem, severity: 'warning' as const },
  ];
  expect(JSON.parse(renderCodequality(reportOf({ problems })))).toEqual([
    {
      description: 'workload/shop/web: unknown',
      engine_name: 'gantry',
      check_name: 'W12',
      fingerprint: 'W12|workload/shop/web|spec.type',
      severity: 'major',
      location: { path: 'shop.yaml', lines: { begin: 12 } },
    },
    {
      description: 'unknown',
      engine_name: 'gantry',
      check_name: 'W12',
      fingerprint: 'W12|shop.yaml|spec.type',
      severity: 'minor',
      location: { path: 'shop.yaml', lines: { begin: 12 } },
    },
  ]);
});

test('without findings it is an empty list, which GitLab reads as no findings', () => {
  expect(renderCodequality(reportOf())).toBe('[]\n');
});

test('fingerprints are unique, whatever text is in the report', () => {
  fc.assert(
    fc.property(hostileReport, (report) => {
      const issues: readonly { readonly fingerprint: string }[] = JSON.parse(renderCodequality(report));
      expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
    }),
  );
});
