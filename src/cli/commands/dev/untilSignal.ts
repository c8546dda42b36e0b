const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long one Ctrl-C may be heard twice: by this process, and passed on by what it ended. */
const echoMs = 1_000;

export interface Until {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  release(): void;
}

/** The first signal ends the command in an orderly way; a later one is left to what else listens, which leaves at once. */
export function untilSignal(): Until {
  const controller = new AbortController();
  function release(): void {
    for (const signal of signals) process.off(signal, asked);
  }
  function asked(): void {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(release, echoMs).unref();
  }
  for (const signal of signals) process.on(signal, asked);
  return { signal: controller.signal, release };
}
