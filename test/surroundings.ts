import type { Surroundings } from '../src/project/session/session.ts';

/** The environment of the tests, empty standard input, and no listener for messages. */
export const quiet: Omit<Surroundings, 'cwd'> = {
  environment: process.env,
  stdin: (async function* () {})(),
  now: () => performance.now(),
  tell: () => {},
};
