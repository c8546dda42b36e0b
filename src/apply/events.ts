import type { ToolError } from '../errors.ts';
import type { ResourceId } from '../schema/ref.ts';
import type { SettledRace } from './races.ts';

/** What became of one change, as it happens. */
export type ApplyEvent =
  | { readonly type: 'started'; readonly id: ResourceId; readonly step: 'create' | 'patch' | 'then' | 'delete' }
  | { readonly type: 'waiting'; readonly id: ResourceId; readonly for: string }
  | { readonly type: 'retrying'; readonly id: ResourceId; readonly because: string; readonly delayMs: number }
  | {
      readonly type: 'done';
      readonly id: ResourceId;
      readonly version: number | undefined;
      readonly elapsedMs: number;
      /** It was as planned when this run came to it: another run may have written it. */
      readonly already?: true;
    }
  | { readonly type: 'failed'; readonly id: ResourceId; readonly error: ToolError }
  | { readonly type: 'skipped'; readonly id: ResourceId; readonly because: string };

/** A change that was not carried out, or not to its end. */
export interface Skipped {
  readonly id: ResourceId;
  readonly because: string;
  /** Its record was written; what was left out came after that (the wait until it is ready, a second step). */
  readonly written?: true;
}

export interface ApplyResult {
  readonly done: readonly ResourceId[];
  readonly failed: readonly { readonly id: ResourceId; readonly error: ToolError }[];
  readonly skipped: readonly Skipped[];
  readonly requests: number;
  /** Undefined when interrupted before it. */
  readonly verified: boolean | undefined;
  /** What was compared: the versions of what was written (where it is absent), or everything, by planning again. */
  readonly verification?: 'full';
  readonly interrupted: boolean;
  /** What the verification found to be otherwise than written; there exactly when `verified` is false. */
  readonly differences?: readonly string[];
  /** Records that somebody else wrote between the plan and our own write, by id; absent when there was none. */
  readonly races?: readonly SettledRace[];
  /** What people have to know of how it was done; absent when there is nothing. */
  readonly notes?: readonly string[];
}
