import { creatableKinds, isGvcScoped, isOrg, type Kind } from '../../../schema/record/kinds.ts';

/** The kinds with records below an org. */
export const servedKinds: readonly Kind[] = [...creatableKinds, 'image', 'quota', 'task', 'user'];

/** The path of the collection that records of a kind are created in. */
export function collectionTemplate(kind: Kind): string {
  return isGvcScoped(kind) ? `/org/{org}/gvc/{gvc}/${kind}` : `/org/{org}/${kind}`;
}

/** The path of all records of a kind in the org. */
export function orgTemplate(kind: Kind): string {
  return `/org/{org}/${kind}`;
}

export function itemTemplate(kind: Kind): string {
  return isOrg(kind) ? '/org/{org}' : `${collectionTemplate(kind)}/{name}`;
}
