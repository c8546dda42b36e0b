import type { LocatedProblem } from '../model/locatedProblem.ts';

/**
 * Without duplicates. Two checks may find the same mistake: a bound in the schema, and a rule with an id of its own.
 * The rule has the better message; but if the type is wrong, the findings of rules are noise.
 */
export function distinctProblems(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  const byPlace = new Map<string, LocatedProblem[]>();
  for (const problem of problems) {
    const place = JSON.stringify([problem.resource ?? problem.position, problem.path]);
    const there = byPlace.get(place);
    if (there === undefined) byPlace.set(place, [problem]);
    else if (!there.some((other) => other.rule === problem.rule && other.message === problem.message))
      there.push(problem);
  }
  return [...byPlace.values()].flatMap(meaningful).filter(isNoConsequence(problems));
}

/** Rules read a value of the wrong type as absent: what they then miss below it follows from that mistake alone. */
function isNoConsequence(problems: readonly LocatedProblem[]): (problem: LocatedProblem) => boolean {
  const mistyped = problems.filter(({ rule }) => rule === 'shape.type');
  const places = new Set(mistyped.map(({ resource, pointer }) => JSON.stringify([resource, pointer])));
  if (places.size === 0) return () => true;
  return ({ rule, resource, pointer }) =>
    rule.startsWith('shape.') ||
    rule.startsWith('manifest.') ||
    !pointer.some((_, index) => places.has(JSON.stringify([resource, pointer.slice(0, index)])));
}

const wrongForm: ReadonlySet<string> = new Set(['shape.type', 'shape.required', 'shape.unknown-field']);

function meaningful(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  if (problems.length === 1) return problems;
  const ours = problems.filter((problem) => problem.rule.startsWith('manifest.'));
  const first = ours.find((problem) => problem.severity === 'error');
  const form = first ?? problems.find((problem) => wrongForm.has(problem.rule));
  if (form !== undefined) return [form];
  const rules = problems.filter((problem) => !problem.rule.startsWith('shape.'));
  return rules.some((problem) => problem.severity === 'error') ? rules : problems;
}
