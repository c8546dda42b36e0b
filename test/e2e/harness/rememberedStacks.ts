import { readFileSync } from 'node:fs';
import { runStack as run } from '../../../src/project/stack/runStack.ts';

/** An environment variable; commands that have it reuse remembered stacks. */
export const remembering = 'GANTRY_TEST_REMEMBERS';

type Outcome = Awaited<ReturnType<typeof run>>;
const known = new Map<string, Outcome>();

/** A copy, because a command may modify the outcome. */
const anew = (outcome: Outcome): Outcome => ({
  ...outcome,
  documents: outcome.documents.map((each) => ({ ...each, value: structuredClone(each.value) })),
});

/**
 * Replaces `src/project/stack/runStack.ts` (vitest.config.ts): a stack of one file that writes nothing always declares
 * the same, so that its process runs once for all commands of a story.
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
