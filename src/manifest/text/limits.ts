/**
 * What a manifest may at most hold, so that no input can exhaust memory or the stack.
 * Decisions of ours: the documents name no such limits.
 */
export const limits = {
  /** Characters of one scalar. The longest legal value (a secret) is far below it. */
  scalarLength: 1_048_576,
  /** Nested lists and objects. The deepest typed field is at about 15. */
  depth: 100,
  /** Values that YAML aliases of one file may stand for, all together. */
  aliasedNodes: 100_000,
} as const;
