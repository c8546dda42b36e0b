import { isArray, isObject, type JsonValue, own } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { present } from '../../base/json/present.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { fileProblem, formatPosition, type LocatedProblem, sortProblems } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import { itemKey } from '../../schema/shape/listKey.ts';
import { namesOfPath, shapeAt } from '../../schema/shape/paths.ts';
import type { Finding } from './policy.ts';
import type { PolicyException } from './policySettings.ts';

/** The verdict of a project's policies on a stack, or on a plan. */
export interface Verdict {
  /** Their findings, and the reasons for missing answers; with an error nothing may be written. */
  readonly problems: readonly LocatedProblem[];
  /** Notes on findings that exceptions allow, and on unnecessary exceptions. */
  readonly notes: readonly string[];
  /** The ids of the policies, in order. */
  readonly policies: readonly string[];
  /** Those that allow no exceptions. */
  readonly imposed: ReadonlySet<string>;
  /** Its sources besides the settings: digests of the loaded files, and the inputs. */
  readonly behind: JsonValue;
}

/** The input of a verdict. */
export interface Judged {
  readonly findings: readonly Finding[];
  /** Failures that prevent an answer of policies. */
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
    return located(finding, byId.get(finding.resource ?? ''), places.get(finding.policy) ?? nowhere);
  });
  // Without all policies, the existing ids are unknown.
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

interface Excepted {
  /** Findings that no exception allows; if one has expired, the message says so. */
  readonly findings: readonly Finding[];
  /** Notes on allowed findings, and on exceptions that allow nothing. */
  readonly notes: readonly string[];
}

interface Exempting {
  readonly exceptions: readonly PolicyException[];
  /** The day for which they are checked: `2027-01-31`. */
  readonly today: string;
  /** The ids of the policies that answered: for others it is unknown whether an exception is needed. */
  readonly answered: ReadonlySet<string>;
  /** Policies that allow no exceptions of the project. */
  readonly imposed: ReadonlySet<string>;
  /** Whether another stack declares it. */
  readonly isElsewhere: (resource: string) => boolean;
}

/** Removes the findings that exceptions allow. */
export function withExceptions(findings: readonly Finding[], exempting: Exempting): Excepted {
  const { exceptions, today, answered, imposed, isElsewhere } = exempting;
  const used = new Set<PolicyException>();
  const passing = new Set<PolicyException>();
  const left = findings.flatMap((finding) => {
    const exception = imposed.has(finding.policy) ? undefined : exceptions.find((each) => isFor(each, finding));
    if (exception === undefined) return [finding];
    used.add(exception);
    if (today > exception.until) return [ended(finding, exception)];
    passing.add(exception);
    return [];
  });
  const idle = exceptions.filter((each) => !used.has(each) && answered.has(each.policy) && !isElsewhere(each.resource));
  return {
    findings: left,
    notes: [
      ...[...passing].map(({ policy, resource, reason, until }) => {
        return `policy ${policy} is not held against ${resource} until ${until}: ${reason}`;
      }),
      ...idle.map((each) => idleText(each, imposed)),
    ],
  };
}

function isFor({ policy, resource }: PolicyException, finding: Finding): boolean {
  return policy === finding.policy && resource === finding.resource;
}

function ended(finding: Finding, { until, reason }: PolicyException): Finding {
  return { ...finding, message: `${finding.message} (its exception ended on ${until}: ${reason})` };
}

function idleText({ policy, resource, position }: PolicyException, imposed: ReadonlySet<string>): string {
  const where = `${formatPosition(position)}: the exception from ${policy} for ${resource}`;
  return imposed.has(policy)
    ? `${where} does not count: this policy takes none of the project`
    : `${where} is not needed: remove it`;
}

/** The rule id of a policy's findings. */
function ruleOf(policy: string): string {
  return `policy.${policy}`;
}

/** The policy in a rule id; undefined if the rule is not from a policy. */
export function policyOf(rule: string): string | undefined {
  return rule.startsWith('policy.') ? rule.slice('policy.'.length) : undefined;
}

/**
 * A finding at the line of the value, or of what surrounds a missing one. `otherwise`: the position for undeclared
 * resources.
 */
export function located(finding: Finding, resource: DesiredResource | undefined, otherwise: Position): LocatedProblem {
  const { policy, message, path = '', fix, severity } = finding;
  const pointer = resource === undefined ? [] : pointerNear(path, resource);
  return {
    ...fileProblem(resource?.locate(pointer) ?? otherwise, ruleOf(policy), message, fix),
    path,
    pointer,
    severity,
    ...present({ resource: finding.resource }),
  };
}

/** The longest existing part of the path in the manifest. */
function pointerNear(path: string, { ref, record, lifecycle }: DesiredResource): Pointer {
  const shape = shapeOf(ref.kind, record);
  const pointer: (string | number)[] = [];
  let value: JsonValue | undefined = { ...record, lifecycle: { ...lifecycle } };
  for (const name of namesOfPath(path)) {
    const list = shapeAt(shape, pointer);
    const step: string | number = isArray(value) ? indexOf(value, name, list) : name;
    const next: JsonValue | undefined = isArray(value)
      ? value[Number(step)]
      : isObject(value)
        ? own(value, name)
        : undefined;
    if (next === undefined) break;
    pointer.push(step);
    value = next;
  }
  return pointer;
}

function indexOf(items: readonly JsonValue[], name: string, shape: ReturnType<typeof shapeAt>): number {
  const list = shape?.type === 'list' ? shape.facts.list : undefined;
  const key = list?.class === 'keyed' ? list.key : undefined;
  const keyed = key === undefined ? -1 : items.findIndex((item) => isObject(item) && itemKey(key, item) === name);
  return keyed < 0 ? Number(name) : keyed;
}
