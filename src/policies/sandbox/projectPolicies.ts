import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { WrittenPolicies } from '../../project/settings/settingsFile.ts';
import type { PolicyContext } from '../rules/policy.ts';
import type { Verdict } from '../rules/verdict.ts';

/** The settings that name the policies of a project. */
export interface PolicySource {
  /** Absolute: the folder of the project. */
  readonly folder: string;
  /** Absent: `gantry.yaml` says nothing of them. */
  readonly written: WrittenPolicies | undefined;
  /** Policies as code in the usual folder; absolute. */
  readonly usual: readonly string[] | undefined;
  /** Paths of `GANTRY_POLICIES`: whoever runs Gantry imposes them on every project. */
  readonly imposed: readonly string[];
  readonly environment: PolicyContext['environment'];
}

/** The question to the policies. */
export interface PolicyQuestion {
  readonly desired: readonly DesiredResource[];
  /** Absent: nothing is planned. */
  readonly plan?: Plan;
  /** Do other stacks declare it? */
  readonly isElsewhere?: (resource: string) => boolean;
  /** Exceptions of the project count for nothing: it is a test of the policies. */
  readonly isTest?: boolean;
  /** The time that policies see; absent: that of now. */
  readonly now?: string;
}

/** The policies of a project. */
export interface ProjectPolicies {
  /** Code in the usual folder; absolute. */
  readonly files: readonly string[];
  judge(question: PolicyQuestion): Promise<Verdict>;
  /** The same of several, each by itself; one sandbox runs the policies for all of them. */
  judgeAll(questions: readonly PolicyQuestion[]): Promise<readonly Verdict[]>;
}
