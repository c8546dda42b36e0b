const pauseMs = 1_000;

/** Calls back when the process that started this one is gone: killed, it asks nobody to end. */
export function whenParentEnds(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, pauseMs);
  timer.unref();
}
