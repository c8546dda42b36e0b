import type { Surroundings } from '../src/project/session/session.ts';

/** The environment of the tests, nothing on standard input, and nobody who listens. */
export const quiet: Omit<Surroundings, 'cwd'> = {
  environment: process.env,
  stdin: (async function* () {})(),
  now: () => performance.now(),
  tell: () => {},
};
