import type { Finding } from './model/finding.ts';
import { findingsOf } from './model/findings.ts';
import type { Report } from './model/report.ts';

/** One test case: something that is as it must be, or a finding. */
export interface TestCase {
  readonly name: string;
  /** The stack: viewers group by it. */
  readonly group: string;
  /** Absent: it passed. */
  readonly finding?: Finding;
  /** Of a change that was run. */
  readonly elapsedMs?: number;
}

/** Each finding, and each resource without one; at least one, so that a report without findings is one that passed. */
export function testCasesOf(report: Report): readonly TestCase[] {
  const group = report.subject.stack ?? '';
  const findings = findingsOf(report);
  const concerned = new Set(findings.map(({ resource }) => resource));
  const failed = findings.map((finding) => ({ name: nameOf(finding), group: finding.stack ?? group, finding }));
  const passed = [...changesOf(report), ...driftOf(report)].filter(({ id }) => !concerned.has(id));
  const cases = [...failed, ...passed.map(({ id: _, ...each }) => each)];
  return cases.length > 0 ? cases : [{ name: `gantry ${report.command}`, group }];
}

function nameOf({ code, resource, path, place, message }: Finding): string {
  const subject = resource ?? (place === undefined ? message : [place.file, place.line].join(':'));
  return [code, subject, ...(path === undefined ? [] : [path])].join(' ');
}

interface Passed extends TestCase {
  readonly id: string;
}

function changesOf({ plans }: Report): readonly Passed[] {
  return plans.flatMap(({ document: { stack, changes, result } }) => {
    const runs = new Map((result?.changes ?? []).map(({ id, elapsedMs }) => [id, elapsedMs]));
    return changes
      .filter(({ id, action }) => action !== 'keep' || runs.has(id))
      .map(({ id, action }) => {
        const elapsedMs = runs.get(id);
        return { id, name: `${action} ${id}`, group: stack, ...(elapsedMs === undefined ? {} : { elapsedMs }) };
      });
  });
}

function driftOf({ drifts }: Report): readonly Passed[] {
  return drifts.flatMap(({ resources, stack }) =>
    resources.map(({ id }) => ({ id, name: `drift ${id}`, group: stack })),
  );
}
