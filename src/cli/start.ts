import { isLikelyToRunStack } from '../terminal/guess.ts';

/** Runs a command line, and ends the process with its exit code. */
export async function start(args: readonly string[]): Promise<void> {
  if (isLikelyToRunStack(args)) {
    const { startEarly } = await import('../project/stack/early.ts');
    startEarly({ cwd: process.cwd(), environment: process.env, nodeOptions: process.execArgv }, 'early');
  }
  const { run } = await import('./run.ts');
  await run(args);
}

/** For completion: names of records. */
export const loadLiveNames = () => import('./completion/liveNames.ts');
