import { isContainer } from './kinds.ts';
import type { Ref } from './ref.ts';

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
