import { ApiFailure } from '../apiFailure.ts';
import { bearerToken } from '../bearerToken.ts';
import type { Handle } from '../message.ts';
import { type RateLimit, RateLimiter } from '../rateLimit.ts';

/**
 * Refuses requests of one token beyond its limit with 429 (platform/wire.retries: without the word that makes clients
 * give up). `digest`: so that no token is stored. `now`: milliseconds, only for differences.
 */
export function withRateLimit(
  limit: RateLimit | undefined,
  handle: Handle,
  digest: (text: string) => string,
  now: () => number,
): Handle {
  if (limit === undefined) return handle;
  const limiter = new RateLimiter(limit);
  return (head, readBody) => {
    const wait = limiter.secondsToWait(digest(bearerToken(head.authorization)), now());
    if (wait === undefined) return handle(head, readBody);
    const headers = { 'retry-after': String(wait) };
    throw new ApiFailure(429, `more than ${limit.perSecond} requests a second; try again`, { headers });
  };
}
