import type { Ref } from '../../schema/record/ref.ts';

/** One text for each place of a record in its org. A GVC goes with its length, as a name may hold any character. */
export function rowKey({ kind, gvc = '', name }: Ref): string {
  return `${kind}/${gvc.length}:${gvc}/${name}`;
}
