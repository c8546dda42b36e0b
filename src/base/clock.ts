/** Time as the applier sees it; tests pass their own. */
export interface ApplyClock {
  now(): number;
  /** Resolves after that time, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
