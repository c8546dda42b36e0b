import { pairOf } from './tags.ts';

/** `PREFIX=WORKLOAD[:PORT]`. */
export interface WrittenRoute {
  readonly prefix: string;
  /** A REF. */
  readonly workload: string;
  readonly port?: number;
}

/** Undefined: it is not a route. */
export function routeIn(text: string): WrittenRoute | undefined {
  const [prefix, target = ''] = pairOf(text) ?? [];
  const [, workload, port] = /^(.+?)(?::(\d+))?$/.exec(target) ?? [];
  if (prefix === undefined || workload === undefined) return undefined;
  return { prefix, workload, ...(port === undefined ? {} : { port: Number(port) }) };
}
