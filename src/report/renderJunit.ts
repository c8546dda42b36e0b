import { compact, isDefined, present } from '../base/json/present.ts';
import { validationForm } from '../change/documents/validationDocument.ts';
import { type Finding, findingsOf, placeText, saidOf } from './findings.ts';
import { visible } from './invisibleCharacters.ts';
import type { Report } from './report.ts';

type Verdict = 'passed' | 'failure' | 'error' | 'skipped';

/** JUnit XML for Jenkins, GitLab and others: every rule problem, refusal and drifted resource is a test case. */
export function renderJunit(report: Report): string {
  const cases = testCasesOf(report).map((each) => ({ ...each, verdict: verdictOf(each.finding) }));
  const count = (verdict: Verdict): number => cases.filter((each) => each.verdict === verdict).length;
  const totals = { tests: cases.length, failures: count('failure'), errors: count('error') };
  const time = secondsOf(cases.reduce((sum, { elapsedMs = 0 }) => sum + elapsedMs, 0));
  const { stack, environment } = report.subject;
  const name = compact([`gantry ${report.command}`, stack, environment]).join(' ');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'gantry', ...totals, time })}>`,
    `  <testsuite${attributes({ name, ...totals, skipped: count('skipped'), time })}>`,
    ...cases.flatMap((each) => renderCase(each, each.verdict, report.command)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** A warning counts as passed. */
function verdictOf(finding: Finding | undefined): Verdict {
  if (finding?.code === 'apply.skipped') return 'skipped';
  if (finding === undefined || finding.severity === 'warning') return 'passed';
  return finding.what === 'error' ? 'error' : 'failure';
}

function renderCase(
  { name, group, finding, elapsedMs }: TestCase,
  verdict: Verdict,
  command: string,
): readonly string[] {
  const classname = compact(['gantry', command, group === '' ? undefined : group]).join('.');
  const time = present({ time: elapsedMs === undefined ? undefined : secondsOf(elapsedMs) });
  const { file, line } = finding?.place ?? {};
  const open = `    <testcase${attributes({ name, classname, ...time, file, line })}`;
  if (finding === undefined) return [`${open}/>`];
  return [`${open}>`, `      ${renderFinding(finding, verdict)}`, '    </testcase>'];
}

function renderFinding(finding: Finding, verdict: Verdict): string {
  const { code, message } = finding;
  if (verdict === 'skipped') return `<skipped${attributes({ message })}/>`;
  if (verdict === 'passed') return `<system-out>${xmlText(`warning: ${detailsOf(finding)}`)}</system-out>`;
  return `<${verdict}${attributes({ message, type: code })}>${xmlText(detailsOf(finding))}</${verdict}>`;
}

/** `stack.ts:12:3: message. The hint.` */
function detailsOf(finding: Finding): string {
  const at = finding.place === undefined ? '' : `${placeText(finding.place)}: `;
  return `${at}${saidOf(finding)}`;
}

function attributes(members: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(members)
    .filter(([, value]) => isDefined(value))
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text that XML allows: some characters are invalid in any form. */
function xmlText(text: string): string {
  return visible(text)
    .replace(/[\ufffe\uffff]/g, (found) => `\\u{${found.charCodeAt(0).toString(16)}}`)
    .replace(/[&<>"]/g, (found) => entities[found] ?? found);
}

function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** One test case: a resource without a finding, or a finding. */
interface TestCase {
  readonly name: string;
  /** The stack, by which viewers group. */
  readonly group: string;
  /** Absent if it passed. */
  readonly finding?: Finding;
  /** Only for a change that was run. */
  readonly elapsedMs?: number;
}

/** Each finding, and each resource without one; at least one, so that a report without findings counts as passed. */
function testCasesOf(report: Report): readonly TestCase[] {
  const group = report.subject.stack ?? '';
  const findings = findingsOf(report);
  const concerned = new Set(findings.map(({ resource }) => resource));
  const failed = findings.map((finding) => ({ name: nameOf(finding), group: finding.stack ?? group, finding }));
  const passed = [...changesOf(report), ...driftOf(report), ...declaredIn(report)].filter(
    ({ id }) => !concerned.has(id),
  );
  const cases = [...failed, ...passed.map(({ id: _, ...each }) => each)];
  return cases.length > 0 ? cases : [{ name: `gantry ${report.command}`, group }];
}

function nameOf({ code, resource, path, place, message }: Finding): string {
  const subject = resource ?? (place === undefined ? message : [place.file, place.line].join(':'));
  return compact([code, subject, path]).join(' ');
}

interface Passed extends TestCase {
  readonly id: string;
}

function changesOf({ plans }: Report): readonly Passed[] {
  return plans.flatMap(({ document: { stack, changes, result } }) => {
    const runs = new Map((result?.changes ?? []).map(({ id, elapsedMs }) => [id, elapsedMs]));
    return changes.map(({ id, action }) => {
      const elapsedMs = runs.get(id);
      return { id, name: `${action} ${id}`, group: stack, ...present({ elapsedMs }) };
    });
  });
}

function driftOf({ drifts }: Report): readonly Passed[] {
  return drifts.flatMap(({ resources, stack }) =>
    resources.map(({ id }) => ({ id, name: `drift ${id}`, group: stack })),
  );
}

/** The resources that `validate` has checked. */
function declaredIn({ document, subject: { stack = '' } }: Report): readonly Passed[] {
  const { declared = [] } = validationForm.is(document) ? document : {};
  return declared.map((id) => ({ id, name: `validate ${id}`, group: stack }));
}
