import { delimiter } from 'node:path';
import type { Surroundings } from '../../project/session/session.ts';
import { valuesOf } from '../../project/settings/environment.ts';
import type { Project } from '../../project/settings/project.ts';
import { usualPolicyFiles } from './findPolicyFiles.ts';
import type { ProjectPolicies } from './projectPolicies.ts';

/** Undefined if there are no policies; then nothing else is loaded. */
export async function openPolicies(
  session: Surroundings,
  { folder, settings, isNone = false }: Project,
): Promise<ProjectPolicies | undefined> {
  const { policies: written, env } = settings;
  const imposed = (session.environment['GANTRY_POLICIES'] ?? '').split(delimiter).filter((path) => path !== '');
  const usual = isNone ? undefined : await usualPolicyFiles(folder);
  if (written === undefined && usual === undefined && imposed.length === 0) return undefined;
  const values = settings.environment === undefined ? {} : valuesOf(settings.environment).values;
  const environment = env === undefined ? undefined : { name: env, values };
  const source = { folder, written, usual, imposed, environment };
  const judging = () => import('./judgeByPolicies.ts');
  return {
    files: usual ?? [],
    judge: async (question) => (await judging()).judgeOne(source, question, session),
    judgeAll: async (questions) => (await judging()).judgeByPolicies(source, questions, session),
  };
}
