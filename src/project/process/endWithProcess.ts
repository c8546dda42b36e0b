const running = new Set<() => void>();

/** Calls `end` when this process exits: what it started must not go on by itself. The function returned takes it back. */
export function endWithProcess(end: () => void): () => void {
  if (running.size === 0) process.on('exit', endAll); // one listener, however many there are
  running.add(end);
  return () => {
    running.delete(end);
    if (running.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const end of running) end();
}
