import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AjvDraft7 from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderSarif } from '../../../src/report/renderSarif.ts';
import { hostileReport } from '../hostileReports.ts';
import { changeOf, driftDocument, planReport, reportOf } from '../makeReports.ts';

const schemaFile = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8'));
const isSarif = new AjvDraft7.default({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);

function sarifOf(report: Parameters<typeof renderSarif>[0]) {
  const sarif = JSON.parse(renderSarif(report));
  isSarif(sarif);
  expect(isSarif.errors).toBeNull();
  return sarif.runs[0];
}

const position = { file: 'my shop/shop.yaml', line: 12, column: 3 };

test('a rule problem has the region, the title and the fix of the rule', () => {
  // biome-ignore format: a row is a case
  const problems = [
    { ...position, rule: 'W12', path: 'spec.type', message: 'it is [unknown] {0}', severity: 'error' as const,
      resource: 'workload/shop/web' },
  ];
  const { tool, results } = sarifOf(reportOf({ command: 'validate', problems, exitCode: 1 }));
  expect(tool.driver).toMatchObject({ name: 'gantry', version: '1.2.3' });
  expect(tool.driver.rules).toMatchObject([{ id: 'W12', defaultConfiguration: { level: 'error' } }]);
  expect(tool.driver.rules[0].shortDescription.text).not.toContain('W12');
  expect(tool.driver.rules[0].help.text).toMatch(/Platform reference: workload\./);
  expect(results).toEqual([
    {
      ruleId: 'W12',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'workload/shop/web spec.type: it is \\[unknown\\] {{0}}' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'my%20shop/shop.yaml', uriBaseId: '%SRCROOT%' },
            region: { startLine: 12, startColumn: 3 },
          },
          logicalLocations: [{ fullyQualifiedName: 'workload/shop/web', kind: 'resource' }],
        },
      ],
      partialFingerprints: { 'gantry/v1': 'W12|workload/shop/web|spec.type' },
    },
  ]);
});

test('an undeclared resource is located in the first file of the plan, or else in gantry.yaml', () => {
  const refusals = [{ code: 'delete.bystander', message: 'it holds others', allow: '--allow-collateral' }];
  const refused = changeOf({ id: 'gvc/shop', action: 'refuse', refusals });
  const uriOf = ({ results }: ReturnType<typeof sarifOf>) =>
    results[0].locations[0].physicalLocation.artifactLocation.uri;
  expect(uriOf(sarifOf(planReport({ changes: [refused, changeOf({ place: { ...position, file: 'a.yaml' } })] })))).toBe(
    'a.yaml',
  );
  expect(uriOf(sarifOf(planReport({ changes: [refused] })))).toBe('gantry.yaml');
});

test('equal findings have different fingerprints, which are the same in each run', () => {
  const problem = { ...position, rule: 'W12', path: '', message: 'twice', severity: 'warning' as const };
  const report = reportOf({ problems: [problem, { ...problem, line: 40 }] });
  const fingerprints = sarifOf(report).results.map(
    (result: { readonly partialFingerprints: object }) => result.partialFingerprints,
  );
  expect(new Set(fingerprints.map((each: object) => JSON.stringify(each))).size).toBe(2);
  expect(renderSarif(report)).toBe(renderSarif(report));
});

test('fingerprints stay the same if the lines of a manifest move', () => {
  const at = (line: number) => {
    const place = { ...position, line };
    const refusals = [
      { code: 'policy.tried', message: `gvc.yaml:${line}:3: shop.yaml:${line}: says too little`, place },
    ];
    return sarifOf(planReport({ changes: [changeOf({ id: 'gvc/shop', action: 'refuse', refusals })] })).results[0];
  };
  expect(at(3).partialFingerprints).toEqual({
    'gantry/v1': 'policy.tried|gvc/shop|gvc.yaml: shop.yaml: says too little',
  });
  expect(at(40).partialFingerprints).toEqual(at(3).partialFingerprints);
  expect(at(40).message.text).toContain('gvc.yaml:40:3');
});

test('an absolute path becomes a file URI', () => {
  const problems = [
    { ...position, file: '/tmp/a b.yaml', rule: 'W12', path: '', message: 'x', severity: 'error' as const },
  ];
  expect(sarifOf(reportOf({ problems })).results[0].locations[0].physicalLocation.artifactLocation).toEqual({
    uri: 'file:///tmp/a%20b.yaml',
  });
});

test('a command that succeeded has no results', () => {
  const drift = driftDocument([{ id: 'gvc/shop', state: 'untouched', orphaned: false, fields: [], writes: [] }]);
  const run = sarifOf(reportOf({ command: 'drift', drifts: [drift] }));
  expect(run).toMatchObject({ results: [], invocations: [{ executionSuccessful: true, exitCode: 0 }] });
  expect(run.automationDetails).toEqual({ id: 'gantry/shop/' });
});

test('a report follows the SARIF schema, whatever text is in it', () => {
  fc.assert(
    fc.property(hostileReport, (report) => {
      const { results, tool } = sarifOf(report);
      const ids = tool.driver.rules.map(({ id }: { readonly id: string }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { ruleId, ruleIndex } of results) expect(ids[ruleIndex]).toBe(ruleId);
    }),
  );
});

test('the SARIF validator of these tests rejects an invalid report', () => {
  expect(isSarif({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
});
