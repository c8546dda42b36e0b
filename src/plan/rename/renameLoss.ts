import type { Kind } from '../../schema/record/kinds.ts';

export interface RenameLoss {
  /** What a new record of another name does not have, in words. */
  readonly why: string;
  /** May `lifecycle.replace: true` allow it? */
  readonly allowed: boolean;
}

/**
 * What is lost when a record is made anew under another name: the platform has no rename (platform/concepts.names). A
 * kind that is not here loses nothing that its manifest does not say.
 */
const losses: ReadonlyMap<Kind, RenameLoss> = new Map<Kind, RenameLoss>([
  // Deleting a GVC deletes everything in it (platform/deletion.cascade).
  ['gvc', { why: 'everything in it is made anew, and what the old one holds is deleted with it', allowed: true }],
  ['volumeset', { why: 'its data stays in the old one, and is deleted with it', allowed: true }],
  ['ipset', { why: 'its addresses are released, and the new one gets others', allowed: true }],
  // Deleting a service account deletes all its keys (platform/deletion.cascade).
  ['serviceaccount', { why: 'its keys are deleted with the old one', allowed: true }],
  ['agent', { why: 'what is registered with the old one has to be registered again', allowed: true }],
  ['location', { why: 'what is connected to the old one has to be connected again', allowed: true }],
  ['domain', { why: 'its name is the host name itself: another name is another domain', allowed: false }],
]);

export function renameLoss(kind: Kind): RenameLoss | undefined {
  return losses.get(kind);
}
