import { compact, nonEmpty } from '../base/json/present.ts';
import { firstOf } from '../base/text/firstOf.ts';
import type { ErrorCause, Place } from '../base/toolError.ts';
import type { DriftDocument } from '../change/documents/driftDocument.ts';
import type { PlanDocument } from '../change/documents/planDocument.ts';
import type { ProblemDocument } from '../change/documents/validationDocument.ts';
import { isDrifted } from '../change/drift.ts';
import { driftWords } from '../change/words.ts';
import type { Refusal } from '../plan/model/change.ts';
import { permitHint } from '../plan/model/refusal.ts';
import type { Report } from './report.ts';

type DriftedResource = DriftDocument['resources'][number];

function driftFindings({ resources, stack }: DriftDocument): readonly Finding[] {
  return resources.filter(isDrifted).map((resource) => {
    const { id, state, orphaned } = resource;
    const code = state === 'untouched' && orphaned ? 'drift.orphaned' : `drift.${state}`;
    return { what: 'drift', code, severity: 'error', message: driftSentence(resource), resource: id, stack };
  });
}

/** Such as `written by others: ana@example.com (version 7): spec.containers.main.cpu; orphaned`. */
function driftSentence({ state, orphaned, owner, writes, fields }: DriftedResource): string {
  const writers = [...new Set((writes ?? []).map(({ by, version }) => `${by.name} (version ${version})`))];
  const paths = (fields ?? []).map(({ path }) => path);
  return compact([
    `${driftWords[state].words}${owner === undefined ? '' : ` (${owner})`}`,
    writers.length === 0 ? undefined : firstOf(writers, mostNamed),
    paths.length === 0 ? undefined : firstOf(paths, mostNamed),
    orphaned ? 'no longer declared by this stack' : undefined,
  ]).join(': ');
}

const mostNamed = 5;

/** Everything in a report that needs attention. The command's own error is first, and omitted if another is found. */
export function findingsOf({ problems, plans, drifts, error }: Report): readonly Finding[] {
  const found = [
    ...problems.map(ofProblem),
    ...plans.flatMap(({ document }) => ofPlan(document)),
    ...drifts.flatMap(driftFindings),
  ];
  return error === undefined || found.some(({ severity }) => severity === 'error') ? found : [ofError(error), ...found];
}

function ofPlan(document: PlanDocument): readonly Finding[] {
  const found = [...refusalsOf(document), ...rehearsalOf(document), ...failuresOf(document)];
  return found.map((finding) => ({ ...finding, stack: document.stack }));
}

function ofProblem({ rule, severity, message, hint, resource, path, file, line, column }: ProblemDocument): Finding {
  const place = { file, line, column };
  return { what: 'problem', code: rule, severity, message, hint, resource, ...nonEmpty({ path }), place };
}

function refusalsOf({ refusals, changes }: PlanDocument): readonly Finding[] {
  return [
    ...refusals.map((refusal) => ofRefusal(refusal)),
    ...changes.flatMap(({ id, place, refusals: own }) =>
      own.map((refusal) => ({ ...ofRefusal(refusal), resource: id, place: refusal.place ?? place })),
    ),
  ];
}

function ofRefusal(refusal: Refusal): Finding {
  const { code, place } = refusal;
  // The message of a policy begins with its place, which every report shows separately.
  const at = place === undefined ? '' : `${placeText(place)}: `;
  const message = refusal.message.startsWith(at) ? refusal.message.slice(at.length) : refusal.message;
  return { what: 'refusal', code, severity: 'error', message, hint: permitHint(refusal), place };
}

function rehearsalOf({ rehearsal }: PlanDocument): readonly Finding[] {
  return (rehearsal?.problem?.differences ?? []).map((message) => ({
    what: 'difference',
    code: 'plan.rehearsal',
    severity: 'error',
    message,
  }));
}

function failuresOf({ result, changes }: PlanDocument): readonly Finding[] {
  if (result === undefined) return [];
  const places = new Map(changes.map(({ id, place }) => [id, place]));
  const failed = result.failed.map(({ id, code, message, hint }): Finding => {
    return { what: 'failure', code, severity: 'error', message, hint, resource: id, place: places.get(id) };
  });
  const skipped = result.skipped.map(({ id, because }): Finding => {
    const place = places.get(id);
    return { what: 'failure', code: 'apply.skipped', severity: 'warning', message: because, resource: id, place };
  });
  const differences = (result.differences ?? []).map((message): Finding => {
    return { what: 'difference', code: 'apply.unverified', severity: 'error', message };
  });
  return [...failed, ...differences, ...skipped];
}

function ofError({ code, message, hint, resource, place }: ErrorCause): Finding {
  return { what: 'error', code, severity: 'error', message, hint, resource, place };
}

/** One item in a report that needs attention, from any source. */
export interface Finding {
  /**
   * `problem`: of a manifest. `refusal`: of a plan. `drift`: of a resource. `failure`: of a change that was not
   * completed. `difference`: found by verification, or a rehearsal. `error`: the error that ended the command, if no
   * other finding reports it.
   */
  readonly what: 'problem' | 'refusal' | 'drift' | 'failure' | 'difference' | 'error';
  /** The id of a rule, or a code: stable and dotted. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint?: string | undefined;
  /** The stack of the plan; absent if no plan was made. */
  readonly stack?: string | undefined;
  /** `kind/[gvc/]name`. */
  readonly resource?: string | undefined;
  /** The field, dotted. */
  readonly path?: string | undefined;
  readonly place?: Place | undefined;
}

/** The message and the hint. */
export function saidOf({ message, hint = '' }: Pick<Finding, 'message' | 'hint'>): string {
  return hint === '' ? message : `${message.replace(/\.$/, '')}. ${hint}`;
}

/** `stack.ts:12:3`. */
export function placeText({ file, line, column }: Place): string {
  return compact([file, line, column]).join(':');
}

export interface PlacedFinding extends Finding {
  readonly place: Place;
}

/** The findings, each with a place in a file, because forges require one. */
export function placedFindings(report: Report): readonly PlacedFinding[] {
  const places = report.plans.flatMap(({ document }) => document.changes.flatMap(({ place }) => place ?? []));
  const file = places[0]?.file ?? 'gantry.yaml';
  return findingsOf(report).map((finding) => ({ ...finding, place: finding.place ?? { file, line: 1 } }));
}

/** Equal for the same finding in another run, even if lines have moved; equal ones are numbered. */
export function fingerprintsOf(findings: readonly Finding[]): readonly string[] {
  const counts = new Map<string, number>();
  return findings.map(({ code, resource, path, place, message }) => {
    const key = [code, resource ?? place?.file ?? '', path ?? withoutLines(message)].join('|');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key}|${count}`;
  });
}

/** Such as `stack.yaml:12:3: …` without 12 and 3. */
function withoutLines(message: string): string {
  return message.replace(/(?<=\.\w+):\d+(?::\d+)?(?!\d)/g, '');
}
