import type { RequestWatch } from '../../client/http/watched.ts';

/** Where the time goes, for whoever collects traces. */
export interface Tracing {
  /** A part of the work: what begins in it belongs to it. An error that it throws or returns is one of it. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T>;
  readonly requests: RequestWatch;
}

/** Work that is a phase where it is traced. */
export function phase<T>(
  { tracing }: { readonly tracing?: Tracing | undefined },
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  return tracing === undefined ? work() : tracing.phase(name, work);
}
