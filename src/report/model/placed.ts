import type { Place } from '../../base/toolError.ts';
import type { Finding } from './finding.ts';
import { findingsOf } from './findings.ts';
import type { Report } from './report.ts';

export interface PlacedFinding extends Finding {
  readonly place: Place;
}

/** The findings, each with a place in a file: forges refuse what has none. */
export function placedFindings(report: Report): readonly PlacedFinding[] {
  const places = report.plans.flatMap(({ document }) => document.changes.flatMap(({ place }) => place ?? []));
  const file = places[0]?.file ?? 'gantry.yaml';
  return findingsOf(report).map((finding) => ({ ...finding, place: finding.place ?? { file, line: 1 } }));
}

/** The same for the same finding in another run, also where lines have moved; equal ones are numbered. */
export function fingerprintsOf(findings: readonly Finding[]): readonly string[] {
  const counts = new Map<string, number>();
  return findings.map(({ code, resource, path, place, message }) => {
    const key = [code, resource ?? place?.file ?? '', path ?? withoutLines(message)].join('|');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key}|${count}`;
  });
}

/** `stack.yaml:12:3: …` without 12 and 3. */
function withoutLines(message: string): string {
  return message.replace(/(?<=\.\w+):\d+(?::\d+)?(?!\d)/g, '');
}
