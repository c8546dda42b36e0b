import { randomUUID } from 'node:crypto';
import type { RequestWatch } from '../../client/http/watched.ts';
import type { Log } from '../host/log.ts';

/**
 * A line for each attempt of a request. Its id is sent along as `x-request-id`, by which a platform that keeps it finds
 * the same request in its own log.
 */
export function loggedRequests(log: Log, now: () => number = () => performance.now()): RequestWatch {
  return {
    begin({ method, path }, attempt) {
      const [id, began] = [randomUUID(), now()];
      const end = (outcome: { readonly status: number } | { readonly failed: string }): void =>
        log('debug', `${method} ${path}`, {
          method,
          path,
          ...outcome,
          duration_ms: Math.round(now() - began),
          request_id: id,
          ...(attempt === 1 ? {} : { attempt }),
        });
      return {
        headers: { 'x-request-id': id },
        answered: (status) => end({ status }),
        failed: (failed) => end({ failed }),
      };
    },
  };
}

/** A request is about to be sent again. */
export function logRetry(log: Log, delayMs: number, because: string): void {
  log('warn', 'a request is sent again', { delay_ms: Math.round(delayMs), because });
}
