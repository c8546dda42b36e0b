import type { Kind } from '../../schema/record/kinds.ts';

/** `1 workload`, `3 policies`. */
export function countedKind(count: number, kind: Kind): string {
  if (count === 1) return `1 ${kind}`;
  return `${count} ${kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`}`;
}
