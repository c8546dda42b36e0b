import { formatPosition } from '../../manifest/model/renderProblem.ts';
import type { Finding } from '../model/finding.ts';
import type { PolicyException } from '../settings/policySettings.ts';

export interface Excepted {
  /** Findings that no exception lets pass; where one has ended, its message says so. */
  readonly findings: readonly Finding[];
  /** Notes on findings that were let pass, and on exceptions that let nothing pass. */
  readonly notes: readonly string[];
}

export interface Exempting {
  readonly exceptions: readonly PolicyException[];
  /** The day on which they count: `2027-01-31`. */
  readonly today: string;
  /** The ids of the policies that gave an answer: of others nobody knows whether an exception is needed. */
  readonly answered: ReadonlySet<string>;
  /** Policies that take no exceptions of the project. */
  readonly imposed: ReadonlySet<string>;
  /** Whether it is the business of other stacks. */
  readonly isElsewhere: (resource: string) => boolean;
}

/** Takes out what exceptions let pass. */
export function withExceptions(findings: readonly Finding[], exempting: Exempting): Excepted {
  const { exceptions, today, answered, imposed, isElsewhere } = exempting;
  const used = new Set<PolicyException>();
  const passed = new Map<PolicyException, number>();
  const left = findings.flatMap((finding) => {
    const exception = imposed.has(finding.policy) ? undefined : exceptions.find((each) => isFor(each, finding));
    if (exception === undefined) return [finding];
    used.add(exception);
    if (today > exception.until) return [ended(finding, exception)];
    passed.set(exception, (passed.get(exception) ?? 0) + 1);
    return [];
  });
  const idle = exceptions.filter((each) => !used.has(each) && answered.has(each.policy) && !isElsewhere(each.resource));
  return {
    findings: left,
    notes: [
      ...[...passed].map(([{ policy, resource, reason, until }]) => {
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
