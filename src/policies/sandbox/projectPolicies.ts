import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { UnparsedPolicies } from '../../project/settings/settingsFile.ts';
import type { PolicyContext } from '../rules/policy.ts';
import type { Verdict } from '../rules/verdict.ts';

/** The settings of a project's policies. */
export interface PolicySource {
  /** Absolute: the folder of the project. */
  readonly folder: string;
  /** Absent if `gantry.yaml` has no policies. */
  readonly written: UnparsedPolicies | undefined;
  /** Policies as code in the default folder; absolute. */
  readonly usual: readonly string[] | undefined;
  /** Paths of `GANTRY_POLICIES`, which the operator imposes on every project. */
  readonly imposed: readonly string[];
  readonly environment: PolicyContext['environment'];
}

export interface PolicyQuestion {
  readonly desired: readonly DesiredResource[];
  /** Absent if nothing is planned. */
  readonly plan?: Plan;
  /** Whether other stacks declare it. */
  readonly isElsewhere?: (resource: string) => boolean;
  /** Ignores the project's exceptions, in a test of the policies. */
  readonly isTest?: boolean;
  /** The time that policies see; if absent, the current one. */
  readonly now?: string;
}

export interface ProjectPolicies {
  /** Code in the default folder; absolute. */
  readonly files: readonly string[];
  judge(question: PolicyQuestion): Promise<Verdict>;
  /** The same for several, each separately; one sandbox runs the policies for all of them. */
  judgeAll(questions: readonly PolicyQuestion[]): Promise<readonly Verdict[]>;
}
