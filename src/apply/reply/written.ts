import type { LiveResource } from '../../manifest/live/snapshot.ts';

/** What became of a record: the last answer of its writes, or that it is no longer there or no longer ours. */
export type Written =
  /** `already`: the record was already so, by another run or by a request whose answer was lost. */
  | { readonly as: 'stored'; readonly live: LiveResource; readonly already?: true }
  | { readonly as: 'deleted'; readonly uid: string }
  | { readonly as: 'forgotten' };
