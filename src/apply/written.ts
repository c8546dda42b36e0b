import type { LiveResource } from '../manifest/snapshot.ts';

/** What became of a record: the last answer of its writes, or that it is no longer there or no longer ours. */
export type Written =
  | { readonly as: 'stored'; readonly live: LiveResource }
  | { readonly as: 'deleted'; readonly uid: string }
  | { readonly as: 'forgotten' };
