import type { LiveResource } from '../../manifest/live/snapshot.ts';

/** Why nothing had to be written; none of both: it was. */
export interface Unwritten {
  /** The record was already as planned: by another run, or by a request whose answer was lost. */
  readonly already?: true;
  /** The values that it takes from others are still those that it has. */
  readonly unchanged?: true;
}

/** The end of a record: the last answer of its writes, or that it is no longer there or no longer ours. */
export type Written =
  | ({ readonly as: 'stored'; readonly live: LiveResource } & Unwritten)
  | { readonly as: 'deleted'; readonly uid: string }
  | { readonly as: 'forgotten' };
