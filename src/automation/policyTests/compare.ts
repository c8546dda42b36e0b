import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { policyOf } from '../../policies/verdict/located.ts';
import type { ExpectedProblem } from './testCase.ts';

export interface Compared {
  readonly missing: readonly ExpectedProblem[];
  readonly unexpected: readonly LocatedProblem[];
}

const compared = ['resource', 'path', 'severity', 'message'] as const;

/** What was expected and not found, and the other way round. Each problem is what one expectation is about. */
export function compare(expected: readonly ExpectedProblem[], found: readonly LocatedProblem[]): Compared {
  const left = [...found];
  const missing = new Set<ExpectedProblem>();
  // Those that say most choose first: what says less may be about any of several.
  for (const each of expected.toSorted((a, b) => saidBy(b) - saidBy(a))) {
    const index = left.findIndex((problem) => isAbout(each, problem));
    if (index < 0) missing.add(each);
    else left.splice(index, 1);
  }
  return { missing: expected.filter((each) => missing.has(each)), unexpected: left };
}

function saidBy(expected: ExpectedProblem): number {
  return compared.filter((key) => expected[key] !== undefined).length;
}

function isAbout(expected: ExpectedProblem, problem: LocatedProblem): boolean {
  return (
    expected.policy === policyOf(problem.rule) &&
    compared.every((key) => expected[key] === undefined || expected[key] === problem[key])
  );
}
