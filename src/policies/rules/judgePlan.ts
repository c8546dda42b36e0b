import { formatPosition, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { type Change, checkedChange, type Refusal } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { policyOf, type Verdict } from './verdict.ts';

/** The plan with the policies' findings: errors refuse their resource's change or the whole plan; others are notes. */
export function judgePlan(
  plan: Plan,
  { problems, notes, imposed }: Pick<Verdict, 'problems' | 'notes' | 'imposed'>,
): Plan {
  if (problems.length + notes.length === 0) return plan;
  const ids: ReadonlySet<string> = new Set(plan.changes.map(({ id }) => id));
  const own = (each: LocatedProblem): boolean => each.resource !== undefined && ids.has(each.resource);
  const refusalOf = (problem: LocatedProblem) => refusal(problem, imposed);
  const byId = Map.groupBy(problems.filter(own), ({ resource = '' }) => resource);
  const others = problems.filter((each) => !own(each));
  return {
    ...plan,
    changes: plan.changes.map((change) => judged(change, byId.get(change.id) ?? [], refusalOf)),
    refusals: [...plan.refusals, ...others.filter(isError).map(refusalOf)],
    notes: [...plan.notes, ...others.filter((each) => !isError(each)).map(noteOf), ...notes],
  };
}

function judged(
  change: Change,
  problems: readonly LocatedProblem[],
  refusalOf: (problem: LocatedProblem) => Refusal,
): Change {
  const refusals = [...change.refusals, ...problems.filter(isError).map(refusalOf)];
  const notes = [...change.notes, ...problems.filter((each) => !isError(each)).map(noteOf)];
  if (refusals.length === 0 || change.action === 'refuse') return { ...change, refusals, notes };
  return checkedChange({ ...change, refusals, notes, action: 'refuse', intended: change.action });
}

function isError({ severity }: LocatedProblem): boolean {
  return severity === 'error';
}

function refusal(problem: LocatedProblem, imposed: ReadonlySet<string>): Refusal {
  const { rule, position, resource } = problem;
  const policy = policyOf(rule);
  const mayBe = policy !== undefined && resource !== undefined && !imposed.has(policy);
  const exception = `{policy: ${policy}, resource: ${resource}, reason: …, until: YYYY-MM-DD}`;
  const allow = `add an exception to gantry.yaml: policies: {exceptions: [${exception}]}`;
  return { code: rule, message: textOf(problem), place: position, ...(mayBe ? { allow } : {}) };
}

function noteOf(problem: LocatedProblem): string {
  return `${problem.rule}: ${textOf(problem)}`;
}

function textOf({ position, path, message, hint }: LocatedProblem): string {
  const said = path === '' ? message : `${path}: ${message}`;
  return `${formatPosition(position)}: ${said}${hint === undefined ? '' : `. ${hint}`}`;
}
