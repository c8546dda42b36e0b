import type { Surroundings } from '../../project/session/session.ts';

/** Is this a step of GitHub's, which makes annotations of lines in its log? */
export function annotates({ environment }: Pick<Surroundings, 'environment'>): boolean {
  return environment['GITHUB_ACTIONS'] === 'true';
}
