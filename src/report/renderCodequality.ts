import { jsonText } from '../base/json/jsonText.ts';
import { fingerprintsOf, placedFindings } from './findings.ts';
import { visible } from './invisibleCharacters.ts';
import type { Report } from './report.ts';

/** The findings in Code Climate's format, which GitLab shows in a merge request (`artifacts:reports:codequality`). */
export function renderCodequality(report: Report): string {
  const findings = placedFindings(report);
  const fingerprints = fingerprintsOf(findings);
  const issues = findings.map(({ code, message, resource, severity, place }, index) => ({
    description: visible(resource === undefined ? message : `${resource}: ${message}`),
    engine_name: 'gantry',
    check_name: code,
    fingerprint: fingerprints[index] ?? '',
    severity: severity === 'error' ? 'major' : 'minor',
    location: { path: place.file, lines: { begin: place.line ?? 1 } },
  }));
  return `${jsonText(issues)}\n`;
}
