import type { Surroundings } from '../../project/session/session.ts';

/** Whether this is a step on GitHub, which turns lines of its log into annotations. */
export function annotates({ environment }: Pick<Surroundings, 'environment'>): boolean {
  return environment['GITHUB_ACTIONS'] === 'true';
}
