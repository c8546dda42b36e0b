import type { JsonValue } from '../../base/json/json.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { fileProblem, type LocatedProblem, sortProblems } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import type { Finding } from '../model/finding.ts';
import type { PolicyException } from '../settings/policySettings.ts';
import { withExceptions } from './exceptions.ts';
import { located } from './located.ts';

/** The verdict of the policies of a project on a stack, or on a plan. */
export interface Verdict {
  /** Their findings, and why some gave no answer; with an error nothing is to be written. */
  readonly problems: readonly LocatedProblem[];
  /** Notes on findings that exceptions let pass, and on exceptions that are not needed. */
  readonly notes: readonly string[];
  /** The ids of the policies, in order. */
  readonly policies: readonly string[];
  /** Those that take no exceptions. */
  readonly imposed: ReadonlySet<string>;
  /** Its sources beside settings: digests of the files that were loaded, and the inputs. */
  readonly behind: JsonValue;
}

/** The input of a verdict. */
export interface Judged {
  readonly findings: readonly Finding[];
  /** Failures that keep policies from an answer. */
  readonly failures: readonly LocatedProblem[];
  readonly policies: readonly { readonly id: string; readonly isAboutPlans: boolean; readonly position: Position }[];
  readonly imposed: ReadonlySet<string>;
  readonly behind: JsonValue;
  readonly exceptions: readonly PolicyException[];
  readonly desired: readonly DesiredResource[];
  readonly hasPlan: boolean;
  /** In UTC: `2027-01-31`. */
  readonly today: string;
  /** Whether another stack declares it. */
  readonly isElsewhere: (resource: string) => boolean;
}

export function verdictOf(judged: Judged): Verdict {
  const { findings, failures, policies, imposed, behind, exceptions, desired, hasPlan, today, isElsewhere } = judged;
  const byId = new Map<string, DesiredResource>(desired.map((resource) => [resource.id, resource]));
  const places = new Map(policies.map(({ id, position }) => [id, position]));
  const answered = new Set(policies.filter(({ isAboutPlans }) => hasPlan || !isAboutPlans).map(({ id }) => id));
  const excepted = withExceptions(findings, { exceptions, today, answered, imposed, isElsewhere });
  const nowhere = { file: 'gantry.yaml', line: 1, column: 1 };
  const found = excepted.findings.map((finding) => {
    const resource = finding.resource === undefined ? undefined : byId.get(finding.resource);
    return located(finding, resource, places.get(finding.policy) ?? nowhere);
  });
  // Without all policies nobody knows which ids there are.
  const unknown = failures.length > 0 ? [] : unknownPolicies(exceptions, [...places.keys()]);
  return {
    problems: sortProblems([...failures, ...unknown, ...found]),
    notes: failures.length > 0 ? [] : excepted.notes,
    policies: [...places.keys()],
    imposed,
    behind,
  };
}

function unknownPolicies(exceptions: readonly PolicyException[], known: readonly string[]): readonly LocatedProblem[] {
  return exceptions
    .filter(({ policy }) => !known.includes(policy))
    .map(({ policy, position }) => {
      const hint = suggestion(policy, known) ?? available(known);
      return fileProblem(position, 'policies.exception', `there is no policy ${JSON.stringify(policy)}`, hint);
    });
}
