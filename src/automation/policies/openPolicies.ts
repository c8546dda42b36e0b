import { delimiter } from 'node:path';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Verdict } from '../../policies/verdict/verdict.ts';
import type { Surroundings } from '../session/session.ts';
import type { WrittenPolicies } from '../settings/policies.ts';
import type { Project } from '../settings/project.ts';
import { usualPolicyFiles } from './findPolicyFiles.ts';

/** What names the policies of a project. */
export interface PolicySource {
  /** Absolute: the folder of the project. */
  readonly folder: string;
  /** Absent: `gantry.yaml` says nothing of them. */
  readonly written: WrittenPolicies | undefined;
  /** Policies as code in the usual folder; absolute. */
  readonly usual: readonly string[] | undefined;
  /** Paths of `GANTRY_POLICIES`: whoever runs Gantry imposes them on every project. */
  readonly imposed: readonly string[];
  readonly environment: string | undefined;
}

/** What policies are asked about. */
export interface PolicyQuestion {
  readonly desired: readonly DesiredResource[];
  /** Absent: nothing is planned. */
  readonly plan?: Plan;
  /** What other stacks declare. */
  readonly isElsewhere?: (resource: string) => boolean;
}

/** The policies of a project. */
export interface ProjectPolicies {
  judge(question: PolicyQuestion): Promise<Verdict>;
}

/** Undefined: there are none. Then nothing else is loaded. */
export async function openPolicies(
  session: Surroundings,
  { folder, settings }: Pick<Project, 'folder' | 'settings'>,
): Promise<ProjectPolicies | undefined> {
  const { policies: written, env: environment } = settings;
  const imposed = (session.environment['GANTRY_POLICIES'] ?? '').split(delimiter).filter((path) => path !== '');
  const usual = await usualPolicyFiles(folder);
  if (written === undefined && usual === undefined && imposed.length === 0) return undefined;
  const source = { folder, written, usual, imposed, environment };
  return {
    async judge(question) {
      const { judgeByPolicies } = await import('./judgeByPolicies.ts');
      return judgeByPolicies(source, question, session);
    },
  };
}
