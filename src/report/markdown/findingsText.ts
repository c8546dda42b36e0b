import { counted } from '../../base/text/counted.ts';
import type { Finding } from '../model/finding.ts';
import { findingsOf } from '../model/findings.ts';
import type { Report } from '../model/report.ts';
import { code } from './inline.ts';

/** Headings, in the order in which they stand. The error stands in the headline. */
const headings = [
  ['refusal', 'Refusals'],
  ['problem', 'Problems'],
  ['failure', 'Not carried out'],
  ['difference', 'Not as planned'],
] as const satisfies readonly (readonly [Finding['what'], string])[];

/** What stands against it, in at most so many characters together. Drift is told with its fields instead. */
export function findingsText(report: Report, room: number): readonly string[] {
  const findings = findingsOf(report);
  const named = report.plans.length > 1;
  let left = room;
  return headings.flatMap(([what, heading]) => {
    const of = findings.filter((finding) => finding.what === what).map((finding) => line(finding, named));
    if (of.length === 0) return [];
    const shown: string[] = [];
    for (const text of of) {
      if (text.length + 1 > left) break;
      left -= text.length + 1;
      shown.push(text);
    }
    const more = of.length - shown.length;
    return [`#### ${heading}`, [...shown, ...(more === 0 ? [] : [`- and ${counted(more, 'more')}`])].join('\n')];
  });
}

/** `named`: with its stack. */
function line({ code: id, severity, stack, resource, path, place, message, hint }: Finding, named: boolean): string {
  const subject = [...(named ? [stack] : []), resource, path]
    .filter((text) => text !== undefined)
    .map((text) => code(text));
  const at = place === undefined ? [] : [code([place.file, place.line].filter((part) => part !== undefined).join(':'))];
  const head = [`${severity === 'warning' ? 'warning ' : ''}${code(id)}`, ...subject, ...at].join(' ');
  return `- ${head}: ${code(message)}${hint === undefined ? '' : ` To do: ${code(hint)}`}`;
}
