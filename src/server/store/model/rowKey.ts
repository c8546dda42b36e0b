import type { Ref } from '../../../schema/record/ref.ts';

/**
 * A unique key for the place of a record in its org. It includes the length of the GVC, as names may contain any
 * character.
 */
export function rowKey({ kind, gvc = '', name }: Ref): string {
  return `${kind}/${gvc.length}:${gvc}/${name}`;
}
