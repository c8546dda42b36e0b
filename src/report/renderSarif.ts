import { jsonText } from '../base/json/jsonText.ts';
import { compact, present } from '../base/json/present.ts';
import { rules } from '../kinds/registry.ts';
import { fingerprintsOf, type PlacedFinding, placedFindings, saidOf } from './findings.ts';
import { visible } from './invisibleCharacters.ts';
import type { Report } from './report.ts';

/** SARIF 2.1.0 for GitHub and other viewers. */
export function renderSarif(report: Report): string {
  const findings = placedFindings(report);
  const fingerprints = fingerprintsOf(findings);
  const codes = [...new Set(findings.map(({ code }) => code))].toSorted();
  const { name, version } = report.tool;
  const sarif = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name, version, semanticVersion: version, rules: codes.map((code) => ruleOf(code, findings)) },
        },
        automationDetails: { id: automationId(report) },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: report.error === undefined, exitCode: report.exitCode }],
        results: findings.map((finding, index) => ({
          ruleId: finding.code,
          ruleIndex: codes.indexOf(finding.code),
          level: finding.severity,
          message: { text: messageOf(finding) },
          locations: [locationOf(finding)],
          partialFingerprints: { 'gantry/v1': fingerprints[index] ?? '' },
        })),
      },
    ],
  };
  return `${jsonText(sarif)}\n`;
}

/** Distinguishes the runs of a stack and environment from others in a viewer: `gantry/shop/prod/`. */
function automationId({ tool, subject: { stack, environment } }: Report): string {
  return compact([tool.name, stack, environment], (part) => (part === undefined ? undefined : `${part}/`)).join('');
}

/** For a rule on manifests its title and fix; for any other code the text of its first finding. */
function ruleOf(code: string, findings: readonly PlacedFinding[]) {
  const rule = rules.find(({ id }) => id === code);
  if (rule !== undefined) {
    const { title, fix, section, severity } = rule;
    return {
      id: code,
      shortDescription: { text: title },
      help: { text: `${fix} Platform reference: ${section}. gantry rules lists every rule.` },
      defaultConfiguration: { level: severity },
    };
  }
  const { what, hint = '', severity = 'error' } = findings.find((finding) => finding.code === code) ?? {};
  return {
    id: code,
    shortDescription: { text: `${titles[what ?? 'error']}: ${code}` },
    help: { text: visible(hint) || 'docs/guarantees.md explains the codes.' },
    defaultConfiguration: { level: severity },
  };
}

const titles: Readonly<Record<PlacedFinding['what'], string>> = {
  problem: 'A problem of a manifest',
  refusal: 'The plan is refused',
  drift: 'Changed outside of the code',
  failure: 'Not carried out',
  difference: 'Not as planned',
  error: 'The command failed',
};

function messageOf(finding: PlacedFinding): string {
  const { resource, path } = finding;
  const subject = compact([resource, path]).join(' ');
  // In messages of SARIF `[text](target)` is a link, and braces are placeholders.
  return escaped([subject, saidOf(finding)].filter((part) => part !== '').join(': '));
}

function escaped(text: string): string {
  return visible(text)
    .replace(/[\\[\]]/g, '\\$&')
    .replaceAll('{', '{{')
    .replaceAll('}', '}}');
}

function locationOf({ place: { file, line, column }, resource }: PlacedFinding) {
  const region = line === undefined ? {} : { region: { startLine: line, ...present({ startColumn: column }) } };
  const isRelative = !file.startsWith('/');
  const uri = `${isRelative ? '' : 'file://'}${file.toWellFormed().split('/').map(encodeURIComponent).join('/')}`;
  return {
    physicalLocation: { artifactLocation: { uri, ...(isRelative ? { uriBaseId: '%SRCROOT%' } : {}) }, ...region },
    ...present({
      logicalLocations:
        resource === undefined ? undefined : [{ fullyQualifiedName: visible(resource), kind: 'resource' }],
    }),
  };
}
