import { readFileSync } from 'node:fs';
import { runStack as run } from '../../../src/project/stack/runStack.ts';

/** A variable in the environment of commands whose stacks are remembered. */
export const remembering = 'GANTRY_TEST_REMEMBERS';

type Outcome = Awaited<ReturnType<typeof run>>;
const known = new Map<string, Outcome>();

/** Each time as if it were new: a command may change what it is given. */
const anew = (outcome: Outcome): Outcome => ({
  ...outcome,
  documents: outcome.documents.map((each) => ({ ...each, value: structuredClone(each.value) })),
});

/**
 * In place of `src/project/stack/runStack.ts` (vitest.config.ts): a stack of one file that writes nothing declares the
 * same each time, so that its process is not started again for each command of a story.
 */
export const runStack: typeof run = async (path, options) => {
  if (options.environment[remembering] === undefined) return run(path, options);
  const text = readFileSync(path, 'utf8');
  if (/console|process\.|from '\.|import\(/.test(text)) return run(path, options);
  const { cwd, environment, env, values, kinds, includeFiles, gantry } = options;
  const key = JSON.stringify([path, text, cwd, environment, env, values, kinds, includeFiles, gantry]);
  const before = known.get(key);
  if (before === undefined) {
    const outcome = await run(path, options);
    known.set(key, anew(outcome));
    return outcome;
  }
  options.onStart?.();
  const outcome = anew(before);
  options.onDocuments?.(outcome.documents);
  return outcome;
};
