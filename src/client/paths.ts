import type { Kind } from '../schema/record/kinds.ts';
import { isOrg } from '../schema/record/kinds.ts';
import type { Ref } from '../schema/record/ref.ts';

/** The beginning of every path of an org. */
export function inOrg(org: string): string {
  return `/org/${segment(org)}/`;
}

/** `/org/{org}/{kind}`; for a GVC-scoped kind, the records of all GVCs (platform/concepts.kinds). */
export function orgCollection(org: string, kind: Kind): string {
  return `${inOrg(org)}${kind}`;
}

export function collection(org: string, kind: Kind, gvc: string | undefined): string {
  return gvc === undefined ? orgCollection(org, kind) : `${inOrg(org)}gvc/${segment(gvc)}/${kind}`;
}

export function item(org: string, ref: Ref): string {
  if (isOrg(ref.kind)) return `/org/${segment(ref.name)}`; // the root of every path, in no collection
  return `${collection(org, ref.kind, ref.gvc)}/${segment(ref.name)}`;
}

function segment(name: string): string {
  return encodeURIComponent(name).replaceAll('%40', '@').replaceAll('%3A', ':');
}

/** Whether a path leads to secrets: all of them, one, or something below it. */
export function isOfSecrets(path: string): boolean {
  return /^\/org\/[^/]+\/secret(?:[/?#]|$)/.test(path);
}
