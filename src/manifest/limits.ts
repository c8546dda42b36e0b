/**
 * The limits of a manifest, so that no input can exhaust memory or the stack. Our own decisions: the platform documents
 * no such limits.
 */
export const limits = {
  /** Characters of one scalar. The longest legal value (a secret) is far below it. */
  scalarLength: 1_048_576,
  /** Nested lists and objects. The deepest typed field is at about 15. */
  depth: 100,
  /** Maximum number of values that the YAML aliases of one file expand to. */
  aliasedNodes: 100_000,
} as const;
