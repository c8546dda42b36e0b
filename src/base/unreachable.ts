/**
 * Errors that say nothing about the request: the platform, a repository or a store is unreachable, too busy, or behind.
 */
export const unreachableCodes: ReadonlySet<string> = new Set([
  'api.unavailable',
  'api.reply-lost',
  'api.too-slow',
  'apply.stale-read',
  'reconcile.git-unreachable',
  'reconcile.store-away',
]);
