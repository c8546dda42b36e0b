import { isContainer, type Kind } from './kinds.ts';

/** Our address of a resource. `gvc` is there exactly for the kinds that live in a GVC. */
export interface Ref {
  readonly kind: Kind;
  readonly name: string;
  readonly gvc?: string;
}

export function refTo<K extends Kind>(kind: K, name: string, gvc: string | undefined): Ref & { readonly kind: K } {
  return gvc === undefined ? { kind, name } : { kind, name, gvc };
}

/** `kind/[gvc/]name`, the form in plans, messages and `dependsOn`. */
export type ResourceId = string;

export function formatRef(ref: Omit<Ref, 'kind'> & { readonly kind: string }): ResourceId {
  return ref.gvc === undefined ? `${ref.kind}/${ref.name}` : `${ref.kind}/${ref.gvc}/${ref.name}`;
}

/** The org and GVC of a record, for resolving short links. */
export interface RecordContext {
  readonly org: string;
  /** The record's own GVC, for GVC-scoped kinds; for a GVC, its own name. */
  readonly gvc?: string;
}

/** What short links in this record are resolved against: for a GVC, its own name is its GVC. */
export function contextOf({ kind, name, gvc }: Ref, org: string): RecordContext {
  if (isContainer(kind)) return { org, gvc: name };
  return gvc === undefined || gvc === '' ? { org } : { org, gvc };
}
