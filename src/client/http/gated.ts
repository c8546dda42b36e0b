import { ApiError } from './apiError.ts';
import type { Exchange, Request } from './exchange.ts';

/**
 * Asked before each attempt of a request; it may take its time. What it returns is called when the attempt has ended.
 * Throws `Withheld` where it must not be sent.
 */
export type Gate = (request: Pick<Request, 'method' | 'path'>) => Promise<undefined | (() => void)>;

/** A request that was not sent. It is not sent again. */
export class Withheld extends ApiError {
  constructor(message: string, hint?: string) {
    super({ code: 'api.withheld', message, hint });
  }
}

/** The same exchange, through a gate. */
export function gated(exchange: Exchange, gate: Gate): Exchange {
  return {
    async send(request) {
      const end = await gate(request);
      try {
        return await exchange.send(request);
      } finally {
        end?.();
      }
    },
    close: () => exchange.close(),
  };
}

/** Can it change something on the platform? Queries and dry runs are sent with POST and PUT. */
export function isWrite({ method, path }: Pick<Request, 'method' | 'path'>): boolean {
  return method !== 'GET' && !path.split('?')[0]?.endsWith('/-query') && !path.endsWith('?dryRun=true');
}
