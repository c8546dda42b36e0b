/** Errors that say nothing of what was asked for: the platform, a repository or a store cannot be reached, is too busy, or is behind. */
export const unreachableCodes: ReadonlySet<string> = new Set([
  'api.unavailable',
  'api.reply-lost',
  'api.too-slow',
  'apply.stale-read',
  'reconcile.git-unreachable',
  'reconcile.store-away',
]);
