import { firstOf } from '../../base/text/firstOf.ts';
import type { ErrorCause } from '../../base/toolError.ts';
import type { DriftDocument } from '../../change/documents/driftDocument.ts';
import type { PlanDocument } from '../../change/documents/planDocument.ts';
import type { ProblemDocument } from '../../change/documents/validationDocument.ts';
import { isDrifted } from '../../change/drift.ts';
import { driftWords } from '../../change/words.ts';
import type { Refusal } from '../../plan/model/change.ts';
import { permitHint } from '../../plan/model/refusal.ts';
import { type Finding, placeText } from './finding.ts';
import type { Report } from './report.ts';

type DriftedResource = DriftDocument['resources'][number];

function driftFindings({ resources, stack }: DriftDocument): readonly Finding[] {
  return resources.filter(isDrifted).map((resource) => {
    const { id, state, orphaned } = resource;
    const code = state === 'untouched' && orphaned ? 'drift.orphaned' : `drift.${state}`;
    return { what: 'drift', code, severity: 'error', message: driftSentence(resource), resource: id, stack };
  });
}

/** `written by others: ana@example.com (version 7): spec.containers.main.cpu; orphaned`. */
function driftSentence({ state, orphaned, owner, writes, fields }: DriftedResource): string {
  const writers = [...new Set((writes ?? []).map(({ by, version }) => `${by.name} (version ${version})`))];
  const paths = (fields ?? []).map(({ path }) => path);
  return [
    `${driftWords[state].words}${owner === undefined ? '' : ` (${owner})`}`,
    ...(writers.length === 0 ? [] : [firstOf(writers, mostNamed)]),
    ...(paths.length === 0 ? [] : [firstOf(paths, mostNamed)]),
    ...(orphaned ? ['no longer declared by this stack'] : []),
  ].join(': ');
}

const mostNamed = 5;

/** Everything in a report that somebody has to look at: what stops it first, each once. */
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
  return { what: 'problem', code: rule, severity, message, hint, resource, ...(path === '' ? {} : { path }), place };
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
  // What a policy says begins with its place, which every report shows beside it.
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
