import type { Plan } from './plan.ts';

/** How the note of a resource begins whose owner somebody erased. */
export const ownerLostPrefix = 'owner-lost: ';

export function isOwnerLost({ notes }: { readonly notes: readonly string[] }): boolean {
  return notes.some((note) => note.startsWith(ownerLostPrefix));
}

export function hasLostOwner({ changes }: Plan): boolean {
  return changes.some(isOwnerLost);
}
