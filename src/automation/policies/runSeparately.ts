import type { Finding } from '../../policies/model/finding.ts';
import { usedPolicies } from '../../policies/run/knownPolicies.ts';
import { compareText } from '../../schema/text/compareText.ts';
import { twiceFailure } from './failure.ts';
import type { LoadedPolicy, PolicyFailure, PolicyRequest } from './request.ts';
import type { PolicyAnswers } from './runPolicies.ts';

/** The policies that one process runs. */
export type PolicySet = Pick<PolicyRequest, 'files' | 'use' | 'rules'>;

/** What the policies of a project said, and those that are imposed on it. */
export interface JoinedAnswers {
  /** In the order of their ids. */
  readonly policies: readonly LoadedPolicy[];
  /** The ids of those that are imposed. */
  readonly imposed: ReadonlySet<string>;
  /** Of each process and input. */
  readonly findings: readonly (readonly (readonly Finding[])[])[];
  readonly failures: readonly PolicyFailure[];
}

const noAnswers: PolicyAnswers = { policies: [], findings: [], failures: [] };

/**
 * Runs imposed policies in a process of their own: no code of the project can change what they see or say. What they
 * export counts in place of what the project names alike in `use`. No process is started for a set that is empty.
 */
export async function runSeparately(
  own: PolicySet,
  imposedFiles: readonly string[],
  run: (set: PolicySet) => Promise<PolicyAnswers>,
): Promise<JoinedAnswers> {
  const sets = [own, { files: imposedFiles, use: [], rules: [] }];
  const [ofProject = noAnswers, ofOthers = noAnswers] = await Promise.all(
    sets.map((set) => (isEmpty(set) ? noAnswers : run(set))),
  );
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

function isEmpty({ files, use, rules }: PolicySet): boolean {
  return files.length + use.length + rules.length === 0;
}
