import type { LiveResource } from '../../manifest/live/snapshot.ts';

/** What became of a record: the last answer of its writes, or that it is no longer there or no longer ours. */
export type Written =
  /** `already`: it was so when this run came to it, by another run or by a request whose answer nobody saw. */
  | { readonly as: 'stored'; readonly live: LiveResource; readonly already?: true }
  | { readonly as: 'deleted'; readonly uid: string }
  | { readonly as: 'forgotten' };
