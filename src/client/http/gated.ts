import { ApiError } from './apiError.ts';
import type { Exchange, Request } from './exchange.ts';

/** Asked before each attempt of a request; it may take its time. Throws `Withheld` where it must not be sent. */
export type Gate = (request: Pick<Request, 'method' | 'path'>) => Promise<void>;

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
      await gate(request);
      return exchange.send(request);
    },
    close: () => exchange.close(),
  };
}

/** Can it change something on the platform? Queries and dry runs are sent with POST and PUT. */
export function isWrite({ method, path }: Pick<Request, 'method' | 'path'>): boolean {
  return method !== 'GET' && !path.split('?')[0]?.endsWith('/-query') && !path.endsWith('?dryRun=true');
}
