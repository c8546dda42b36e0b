import type { Finding } from '../../policies/model/finding.ts';
import { usedPolicies } from '../../policies/run/knownPolicies.ts';
import { compareText } from '../../schema/text/compareText.ts';
import { twiceFailure } from './failure.ts';
import { divided, type PolicySet } from './policySet.ts';
import type { LoadedPolicy, PolicyFailure } from './request.ts';
import type { PolicyAnswers } from './runPolicies.ts';

/** What the policies of a project said, and those that are imposed on it. */
export interface JoinedAnswers {
  /** In the order of their ids. */
  readonly policies: readonly LoadedPolicy[];
  /** The ids of those that are imposed. */
  readonly imposed: ReadonlySet<string>;
  /** Of the project and of those that are imposed, of each input. */
  readonly findings: readonly (readonly (readonly Finding[])[])[];
  readonly failures: readonly PolicyFailure[];
}

/** How a set is asked. */
export interface Asking {
  /** In this process. */
  readonly here: (set: PolicySet) => Promise<PolicyAnswers>;
  /** In one of its own. */
  readonly apart: (set: PolicySet) => Promise<PolicyAnswers>;
}

const noAnswers: PolicyAnswers = { policies: [], findings: [], failures: [] };

/**
 * Asks each policy where it belongs (`divided`), and imposed ones in a process of their own: no code of the project can
 * change what they see or say. What they export counts in place of what the project names alike in `use`. No process is
 * started for a set that is empty.
 */
export async function runSeparately(
  own: PolicySet,
  imposedFiles: readonly string[],
  asking: Asking,
): Promise<JoinedAnswers> {
  const { here, apart } = divided(own);
  const runs = [apart, { files: imposedFiles, use: [], rules: [] }].map((set) => answersTo(set, asking.apart));
  const known = await answersTo(here, asking.here); // meanwhile they start
  const [ofCode = noAnswers, ofOthers = noAnswers] = await Promise.all(runs);
  const ofProject = joined(known, ofCode);
  const imposed = new Set(ofOthers.policies.map(({ id }) => id));
  const used = new Set(usedPolicies(own.use).map(({ id }) => id));
  const alike = ofProject.policies.filter(({ id }) => imposed.has(id));
  const twice = alike.filter(({ id, file }) => file !== undefined || !used.has(id));
  const rest = ofProject.policies.filter(({ id }) => !imposed.has(id));
  return {
    policies: [...rest, ...ofOthers.policies].toSorted((a, b) => compareText(a.id, b.id)),
    imposed,
    findings: [
      ofProject.findings.map((found) => found.filter(({ policy }) => !imposed.has(policy))),
      ofOthers.findings,
    ],
    failures: [
      ...ofProject.failures,
      ...ofOthers.failures,
      ...twice.map(({ id, position }) => twiceFailure(id, position)),
    ],
  };
}

async function answersTo(set: PolicySet, ask: Asking['here']): Promise<PolicyAnswers> {
  return isEmpty(set) ? noAnswers : ask(set);
}

/** As if one process had asked all of them, in the order of their ids. */
function joined(known: PolicyAnswers, code: PolicyAnswers): PolicyAnswers {
  const ids = new Set(known.policies.map(({ id }) => id));
  const twice = code.policies.filter(({ id }) => ids.has(id));
  const others = code.findings.map((found) => found.filter(({ policy }) => !ids.has(policy)));
  const longer = known.findings.length > 0 ? known.findings : others;
  return {
    policies: [...known.policies, ...code.policies.filter(({ id }) => !ids.has(id))],
    findings: longer.map((_, input) => inOrder(known.findings[input] ?? [], others[input] ?? [])),
    failures: [...known.failures, ...code.failures, ...twice.map(({ id, position }) => twiceFailure(id, position))],
  };
}

function inOrder(known: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  if (others.length === 0) return known;
  return [...known, ...others].toSorted((a, b) => compareText(a.policy, b.policy));
}

function isEmpty({ files, use, rules }: PolicySet): boolean {
  return files.length + use.length + rules.length === 0;
}
