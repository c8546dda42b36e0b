import { mayStore } from '../../schema/facts/kindFacts.ts';
import { isCustomKind } from '../../schema/record/customKinds.ts';
import type { Kind } from '../../schema/record/kinds.ts';

export interface RenameLoss {
  /** What a new record of another name does not have, in words. */
  readonly why: string;
  /** May `lifecycle.replace: true` allow it? */
  readonly allowed: boolean;
}

/**
 * What is lost when a record is created anew under another name: the platform cannot rename (platform/concepts.names).
 * Kinds that are not listed lose nothing beyond their manifest.
 */
const losses: ReadonlyMap<Kind, RenameLoss> = new Map<Kind, RenameLoss>([
  // Deleting a GVC deletes everything in it (platform/deletion.cascade).
  ['gvc', { why: 'everything in it would be created anew, and the content of the old one deleted', allowed: true }],
  ['volumeset', { why: 'its data would be deleted with the old one', allowed: true }],
  ['ipset', { why: 'its addresses would be released, and the new one would get other addresses', allowed: true }],
  // Deleting a service account deletes all its keys (platform/deletion.cascade).
  ['serviceaccount', { why: 'its keys would be deleted with the old one', allowed: true }],
  ['agent', { why: 'everything registered with the old one would have to be registered again', allowed: true }],
  ['location', { why: 'everything connected to the old one would have to be connected again', allowed: true }],
  ['domain', { why: 'its name is the host name itself: another name is another domain', allowed: false }],
]);

export function renameLoss(kind: Kind): RenameLoss | undefined {
  const unknown = isCustomKind(kind) && mayStore(kind);
  return unknown
    ? { why: 'what the old one stores is not known, and would be deleted', allowed: true }
    : losses.get(kind);
}
