import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJunit } from '../../../src/report/renderJunit.ts';
import { hostileReport } from '../hostileReports.ts';
import { changeOf, driftDocument, planReport, reportOf } from '../makeReports.ts';

/** Parses XML; throws if it is not well-formed. */
function parse(xml: string): Document {
  const onError = (level: string, message: string): never => {
    throw new Error(`${level}: ${message}`);
  };
  return new DOMParser({ onError }).parseFromString(xml, 'text/xml');
}

const elements = (parent: Document | Element): readonly Element[] =>
  [...parent.childNodes].filter((node): node is Element => node.nodeType === 1);

const attributesOf = (element: Element): Readonly<Record<string, string>> =>
  Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));

/** The schema of Jenkins (junit-10.xsd): the places of elements, and their attributes. */
const forms: Readonly<
  Record<string, { readonly attributes: readonly string[]; readonly children: readonly string[] }>
> = {
  testsuites: { attributes: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'], children: ['testsuite'] },
  testsuite: {
    attributes: [
      'name',
      'tests',
      'failures',
      'errors',
      'time',
      'disabled',
      'skipped',
      'timestamp',
      'hostname',
      'id',
      'package',
      'file',
    ],
    children: ['testcase', 'properties', 'system-out', 'system-err'],
  },
  testcase: {
    attributes: ['name', 'assertions', 'time', 'classname', 'status', 'file', 'line'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { attributes: ['type', 'message'], children: [] },
  error: { attributes: ['type', 'message'], children: [] },
  skipped: { attributes: ['type', 'message'], children: [] },
  'system-out': { attributes: [], children: [] },
};

function expectForm(element: Element): void {
  const form = forms[element.tagName];
  expect(form, element.tagName).toBeDefined();
  expect(form?.attributes).toEqual(expect.arrayContaining(Object.keys(attributesOf(element))));
  expect(form?.children).toEqual(expect.arrayContaining(elements(element).map(({ tagName }) => tagName)));
  for (const child of elements(element)) expectForm(child);
}

function casesOf(xml: string): readonly Element[] {
  const [suites] = elements(parse(xml));
  return (suites === undefined ? [] : elements(suites)).flatMap(elements);
}

/** Each case as `name: verdict type`. */
const told = (xml: string): readonly string[] =>
  casesOf(xml).map((each) => {
    const [verdict] = elements(each);
    const type = verdict?.getAttribute('type') ?? '';
    return `${each.getAttribute('name')}: ${verdict?.tagName ?? 'passed'}${type === '' ? '' : ` ${type}`}`;
  });

const position = { file: 'shop.yaml', line: 12, column: 3 };

test('each rule problem is a case; warnings have passed', () => {
  // biome-ignore format: a row is a case
  const problems = [
    { ...position, rule: 'W12', path: 'spec.type', message: 'unknown', severity: 'error' as const,
      resource: 'workload/shop/web' },
    { ...position, rule: 'W13', path: '', message: 'unpinned', severity: 'warning' as const },
  ];
  const document = { valid: false, resources: 2, declared: ['gvc/shop', 'workload/shop/web'], problems };
  const xml = renderJunit(reportOf({ command: 'validate', outcome: 'invalid', exitCode: 1, problems, document }));
  expect(told(xml)).toEqual([
    'W12 workload/shop/web spec.type: failure W12',
    'W13 shop.yaml:12: system-out',
    'validate gvc/shop: passed',
  ]);
  expect(casesOf(xml).map(attributesOf)).toMatchObject([
    { file: 'shop.yaml', line: '12', classname: 'gantry.validate.shop' },
    {},
    {},
  ]);
});

test('each refusal is a case, and each change without a refusal has passed', () => {
  const refusals = [
    { code: 'delete.bystander', message: 'it holds others' },
    { code: 'delete.protected', message: 'it is protected' },
  ];
  const report = planReport({
    changes: [
      changeOf({ id: 'gvc/shop', action: 'refuse', refusals }),
      changeOf({}),
      changeOf({ id: 'gvc/kept', action: 'keep' }),
    ],
    refusals: [{ code: 'plan.max-changes', message: 'too many' }],
  });
  expect(told(renderJunit(report))).toEqual([
    'plan.max-changes too many: failure plan.max-changes',
    'delete.bystander gvc/shop: failure delete.bystander',
    'delete.protected gvc/shop: failure delete.protected',
    'patch workload/shop/web: passed',
    'keep gvc/kept: passed',
  ]);
});

test('each resource is a case of drift, and has failed if it drifted', () => {
  const drift = driftDocument([
    { id: 'workload/shop/web', state: 'deleted', orphaned: false, fields: null, writes: null },
    { id: 'gvc/shop', state: 'untouched', orphaned: false, fields: [], writes: [] },
    { id: 'gvc/old', state: 'untouched', orphaned: true, fields: [], writes: [] },
    { id: 'group/a', state: 'left-alone', orphaned: false, fields: [], leftAlone: [], writes: [] },
  ]);
  expect(told(renderJunit(reportOf({ command: 'drift', drifts: [drift] })))).toEqual([
    'drift.deleted workload/shop/web: failure drift.deleted',
    'drift.orphaned gvc/old: failure drift.orphaned',
    'drift gvc/shop: passed',
    'drift group/a: passed',
  ]);
});

test('after an apply each change is a case with its time, as passed, failed or skipped', () => {
  const ids = ['gvc/shop', 'workload/shop/api', 'workload/shop/web'] as const;
  const report = planReport({
    changes: ids.map((id) => changeOf({ id, action: 'create' })),
    result: {
      outcome: 'partly',
      done: ['gvc/shop'],
      failed: [{ id: 'workload/shop/api', code: 'api.invalid', message: 'no' }],
      skipped: [{ id: 'workload/shop/web', because: 'workload/shop/api failed' }],
      changes: [{ id: 'gvc/shop', outcome: 'done', elapsedMs: 1234 }],
      requests: 2,
      verified: null,
      interrupted: false,
    },
  });
  const xml = renderJunit({ ...report, command: 'apply' });
  expect(told(xml)).toEqual([
    'api.invalid workload/shop/api: failure api.invalid',
    'apply.skipped workload/shop/web: skipped',
    'create gvc/shop: passed',
  ]);
  expect(casesOf(xml).at(-1)?.getAttribute('time')).toBe('1.234');
  expect(xml).toContain('<testsuites name="gantry" tests="3" failures="1" errors="0" time="1.234">');
});

test('an error without a finding is a case; without findings one case has passed', () => {
  const error = { code: 'settings.org', message: 'no org is given', causes: [] };
  expect(told(renderJunit(reportOf({ outcome: 'failed', exitCode: 1, error })))).toEqual([
    'settings.org no org is given: error settings.org',
  ]);
  expect(told(renderJunit(reportOf({ command: 'validate', outcome: 'valid' })))).toEqual(['gantry validate: passed']);
});

test('a report is well-formed, follows the schema, and has right counts, whatever text is in it', () => {
  fc.assert(
    fc.property(hostileReport, (report) => {
      const [root] = elements(parse(renderJunit(report)));
      if (root === undefined) throw new Error('there is no root');
      expectForm(root);
      const [suite] = elements(root);
      const cases = suite === undefined ? [] : elements(suite);
      const count = (tag: string): string => String(cases.filter((each) => elements(each)[0]?.tagName === tag).length);
      expect(suite && attributesOf(suite)).toMatchObject({
        tests: String(cases.length),
        failures: count('failure'),
        errors: count('error'),
        skipped: count('skipped'),
      });
    }),
  );
});

test('the XML parser of these tests rejects malformed XML', () => {
  for (const xml of ['<a>', '<a b="<"/>', '<a>&x;</a>', '<a/><b/>']) expect(() => parse(xml)).toThrow();
});
