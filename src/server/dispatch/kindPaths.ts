import { creatableKinds, isGvcScoped, type Kind } from '../../schema/record/kinds.ts';

/** Kinds with records of their own below an org. */
export const servedKinds: readonly Kind[] = [...creatableKinds, 'image', 'quota', 'task', 'user'];

/** The template of the collection in which records of a kind are made. */
export function collectionTemplate(kind: Kind): string {
  return isGvcScoped(kind) ? `/org/{org}/gvc/{gvc}/${kind}` : `/org/{org}/${kind}`;
}

/** Of all records of a kind in the org; the same for a kind of the org itself. */
export function orgTemplate(kind: Kind): string {
  return `/org/{org}/${kind}`;
}

export function itemTemplate(kind: Kind): string {
  return kind === 'org' ? '/org/{org}' : `${collectionTemplate(kind)}/{name}`;
}
