import { compareText } from '../../base/text/compareText.ts';
import type { Finding } from '../model/finding.ts';
import type { Policy } from '../model/policy.ts';
import { hasPattern, type Rule } from '../rules/rule.ts';
import { policyOfRule } from '../rules/ruleJudge.ts';
import { usedPolicies } from '../run/knownPolicies.ts';
import { type PolicyInput, runPolicy } from '../run/runPolicy.ts';
import { answerFailure, type PolicyFailure, twiceFailure, unansweredBy } from './failure.ts';
import type { LoadedPolicy, PolicyAnswers } from './runPolicies.ts';

/** The policies of a project, and those that are imposed on it. */
export interface PolicySet {
  /** Of the project; absolute. */
  readonly files: readonly string[];
  /** Names of policies that come along. */
  readonly use: readonly string[];
  readonly rules: readonly Rule[];
  /** Files of whoever runs Gantry; absolute. */
  readonly imposed: readonly string[];
}

/** The answers of the policies of a project, and of those that are imposed on it. */
export interface JoinedAnswers {
  /** In the order of their ids. */
  readonly policies: readonly LoadedPolicy[];
  /** The ids of those that are imposed. */
  readonly imposed: ReadonlySet<string>;
  /** Of the project and of those that are imposed, of each input. */
  readonly findings: readonly (readonly (readonly Finding[])[])[];
  readonly failures: readonly PolicyFailure[];
  /** As in `PolicyAnswers`; by sandbox. */
  readonly loaded: readonly (readonly string[])[];
}

/** Asks code, and rules with a regular expression, in a sandbox of its own. */
export type AskInSandbox = (
  set: Pick<PolicySet, 'files' | 'rules'> & { readonly isImposed: boolean },
) => Promise<PolicyAnswers>;

/**
 * Asks each policy where it belongs: those that come along, and rules without regular expressions, in this thread. They
 * are our code and data, and end by themselves. All others run in a sandbox, and imposed ones in one of their own: no
 * code of the project can change what they see or say. What they export counts in place of what the project names alike
 * in `use`. No sandbox is opened for nothing.
 */
export async function askAll(
  { files, use, rules, imposed }: PolicySet,
  inputs: readonly PolicyInput[],
  inSandbox: AskInSandbox,
): Promise<JoinedAnswers> {
  const nothing: PolicyAnswers = { policies: [], findings: inputs.map(() => []), failures: [], loaded: [] };
  const patterns = rules.filter(hasPattern);
  const runs = [
    files.length + patterns.length === 0 ? nothing : inSandbox({ files, rules: patterns, isImposed: false }),
    imposed.length === 0 ? nothing : inSandbox({ files: imposed, rules: [], isImposed: true }),
  ];
  const simple = rules.filter((rule) => !hasPattern(rule)).map(policyOfRule);
  const known = await askHere([...usedPolicies(use), ...simple], inputs); // meanwhile they run
  const [ofCode = nothing, ofOthers = nothing] = await Promise.all(runs);
  const ofProject = joined(known, ofCode);
  const others = new Set(ofOthers.policies.map(({ id }) => id));
  const used = new Set(usedPolicies(use).map(({ id }) => id));
  const alike = ofProject.policies.filter(({ id }) => others.has(id));
  const twice = alike.filter(({ id, file }) => file !== undefined || !used.has(id));
  const rest = ofProject.policies.filter(({ id }) => !others.has(id));
  return {
    policies: inOrder(rest, ofOthers.policies, ({ id }) => id),
    imposed: others,
    findings: [ofProject.findings.map((found) => found.filter(({ policy }) => !others.has(policy))), ofOthers.findings],
    failures: [...ofProject.failures, ...ofOthers.failures, ...twiceFailures(twice)],
    loaded: [ofCode.loaded, ofOthers.loaded],
  };
}

async function askHere(asked: readonly Policy[], inputs: readonly PolicyInput[]): Promise<PolicyAnswers> {
  const all = asked.toSorted((a, b) => compareText(a.id, b.id));
  const isTwice = ({ id }: Policy, index: number) => id === all[index - 1]?.id;
  const policies = all.filter((policy, index) => !isTwice(policy, index));
  const failures: PolicyFailure[] = all.filter(isTwice).map(({ id }) => twiceFailure(id, undefined));
  const findings = inputs.map((): Finding[] => []);
  for (const [of, input] of inputs.entries()) {
    for (const policy of policies) {
      try {
        for (const finding of await runPolicy(policy, input)) findings[of]?.push(finding);
      } catch (error) {
        failures.push(answerFailure(policy.id, unansweredBy(error), undefined));
      }
    }
  }
  return {
    policies: policies.map(({ id, about, plan }) => ({ id, about, isAboutPlans: plan !== undefined })),
    findings,
    failures,
    loaded: [],
  };
}

/** As if all had been asked together, in the order of their ids. */
function joined(known: PolicyAnswers, code: PolicyAnswers): PolicyAnswers {
  const ids = new Set(known.policies.map(({ id }) => id));
  const twice = code.policies.filter(({ id }) => ids.has(id));
  return {
    policies: [...known.policies, ...code.policies.filter(({ id }) => !ids.has(id))],
    findings: known.findings.map((found, input) => {
      const others = (code.findings[input] ?? []).filter(({ policy }) => !ids.has(policy));
      return others.length === 0 ? found : inOrder(found, others, ({ policy }) => policy);
    }),
    failures: [...known.failures, ...code.failures, ...twiceFailures(twice)],
    loaded: code.loaded,
  };
}

function twiceFailures(policies: readonly LoadedPolicy[]): readonly PolicyFailure[] {
  return policies.map(({ id, position }) => twiceFailure(id, position));
}

function inOrder<Item>(some: readonly Item[], others: readonly Item[], idOf: (item: Item) => string): readonly Item[] {
  return [...some, ...others].toSorted((a, b) => compareText(idOf(a), idOf(b)));
}
