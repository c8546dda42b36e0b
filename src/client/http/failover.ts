import { type Exchange, judgeFailure } from './exchange.ts';

/**
 * One exchange over several servers of one platform: requests go to one server until it cannot be reached or its
 * connection breaks; the next attempt uses the next server. Retries are decided elsewhere.
 */
export function failover(exchanges: readonly [Exchange, ...Exchange[]]): Exchange {
  let current = 0;
  return {
    async send(request) {
      const asked = current;
      try {
        return await (exchanges[asked] ?? exchanges[0]).send(request);
      } catch (error) {
        // Of many requests that fail together, the first one moves on.
        if (!judgeFailure(error).permanent && asked === current) current = (current + 1) % exchanges.length;
        throw error;
      }
    },
    async close() {
      await Promise.all(exchanges.map((exchange) => exchange.close()));
    },
  };
}
