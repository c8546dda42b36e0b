import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/** Kills a process when this one exits, however many there are; a stack may never come to an end by itself. */
export function endWithProcess(child: ChildProcess): () => void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(child);
  return () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  };
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
