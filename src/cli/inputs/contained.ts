import { setImmediate } from 'node:timers/promises';

/** Thrown into a stack that wants to end the process. */
export class StackExit extends Error {
  override readonly name = 'StackExit';
}

/**
 * Runs user code so that it can neither end the process nor outlive its own failure: `process.exit`, a promise that
 * nobody handles, and one that nothing will ever settle are errors of the code.
 */
export async function contained<Result>(work: () => Promise<Result>): Promise<Result> {
  const { exit } = process;
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const stuck = () => reject(new Error('the stack waits for something that never happens'));
  process.exit = (code) => {
    const error = new StackExit(`the stack ended the process (process.exit(${code ?? ''}))`);
    reject(error); // also where the stack catches what is thrown
    throw error;
  };
  process.on('unhandledRejection', reject);
  process.on('uncaughtException', reject);
  process.on('beforeExit', stuck);
  try {
    const result = await Promise.race([work(), failure]);
    await Promise.race([setImmediate(), failure]); // rejections without a handler are told after the present turn
    return result;
  } finally {
    process.exit = exit;
    process.off('unhandledRejection', reject);
    process.off('uncaughtException', reject);
    process.off('beforeExit', stuck);
  }
}
