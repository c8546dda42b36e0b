import type { ChildProcess } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Tie {
  /** This process has been asked to end, and will as soon as the other one has. */
  isEnding(): boolean;
  release(): void;
}

/**
 * Ends a process at once when this one ends, or is asked to: a stack may ignore the signal, or never come to look at
 * it.
 */
export function endWithUs(child: ChildProcess): Tie {
  let received: NodeJS.Signals | undefined;
  const kill = () => void child.kill('SIGKILL');
  function asked(signal: NodeJS.Signals): void {
    received ??= signal;
    kill();
  }
  function release(): void {
    process.off('exit', kill);
    for (const signal of signals) process.off(signal, asked);
    if (received !== undefined) process.kill(process.pid, received); // what the signal does to this process, only later
  }
  process.on('exit', kill);
  for (const signal of signals) process.on(signal, asked);
  return { isEnding: () => received !== undefined, release };
}
