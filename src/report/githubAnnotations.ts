import { compact } from '../base/json/present.ts';
import { counted } from '../base/text/counted.ts';
import { type Finding, findingsOf, saidOf } from './findings.ts';
import { visible, visiblePart } from './invisibleCharacters.ts';
import type { Report } from './report.ts';

/** GitHub shows ten errors and ten warnings per step, and drops the others. */
const most = 10;
const longest = 1_000;

/** Workflow commands, each of which adds an annotation to a line of a file. */
export function githubAnnotations(report: Report): readonly string[] {
  const findings = findingsOf(report);
  const shown = [
    ...findings.filter(({ severity }) => severity === 'error').slice(0, most),
    ...findings.filter(({ severity }) => severity === 'warning').slice(0, most),
  ];
  const left = findings.length - shown.length;
  return compact([
    ...shown.map(annotation),
    left === 0
      ? undefined
      : `and ${counted(left, 'more finding')} without an annotation: GitHub shows ${most} of a step`,
  ]);
}

function annotation(finding: Finding): string {
  const { severity, code, resource, path, place } = finding;
  const subject = compact([resource, path]).join(' ');
  const properties = [
    ['file', place?.file],
    ['line', place?.line],
    ['col', place?.column],
    ['title', `gantry: ${code}`],
  ] as const;
  const pairs = compact(properties, ([name, value]) =>
    value === undefined ? undefined : `${name}=${property(value)}`,
  );
  const said = [subject, saidOf(finding)].filter((part) => part !== '').join(': ');
  return `::${severity} ${pairs.join(',')}::${content(visiblePart(said, longest))}`;
}

/** Escapes the characters that GitHub's runner decodes. */
function content(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string | number): string {
  return content(visible(String(value)))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}
