/** Time for the applier; tests provide their own clock. */
export interface ApplyClock {
  now(): number;
  /** Resolves after that time, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
