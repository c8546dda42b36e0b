import type { JsonObject } from '../../schema/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';
import type { WrittenBy } from './writer.ts';

/** One record as the platform returned it. */
export interface LiveResource {
  readonly ref: Ref;
  readonly id: ResourceId;
  /** The platform's own id (`record.id`), which changes when a name is deleted and created again. */
  readonly uid: string;
  readonly version: number;
  /** The whole response record; for a secret with `data` when it could be revealed. */
  readonly record: JsonObject;
}

/** What a GVC holds, listed because the GVC may be deleted. */
export interface Closure {
  /** False when a GVC-scoped kind could not be listed: then nothing may be deleted. */
  readonly known: boolean;
  readonly children: readonly LiveResource[];
  /** Kinds of which the token may not view all that is in it, or of which nobody can tell. Absent: none. */
  readonly unseen?: readonly Kind[];
}

/** By id: the permission without which a record may not be viewed. It is there, but nobody knows what is in it. */
export type HiddenRecords = ReadonlyMap<ResourceId, string>;

/** The live state that a plan was made from. */
export interface Snapshot {
  readonly org: string;
  readonly resources: ReadonlyMap<ResourceId, LiveResource>;
  /** By GVC name. */
  readonly closures: ReadonlyMap<string, Closure>;
  /** Declared secrets whose values could not be read (`-reveal` refused). */
  readonly unrevealed: ReadonlySet<ResourceId>;
  /** What the token may not view, of the names that were asked for one by one. Absent: nothing. */
  readonly hidden?: HiddenRecords;
  /** Which list directives the endpoint honours, from `/discovery`. */
  readonly directives: 'all' | 'stated';
  /** Set where the endpoint does not say that it refuses a PATCH for another `id` or `version`. */
  readonly preconditions?: 'unsaid';
  /** Set where the endpoint says that a PUT with `?dryRun=true` stores nothing. */
  readonly dryRun?: 'honoured';
  /** What a replacement of this stack deleted and did not create again, as it was then. No secret is in it. */
  readonly unfinished?: ReadonlyMap<ResourceId, LiveResource>;
  /** Who deleted what this stack owned and still declares: nothing of that name is there now. */
  readonly deletions?: ReadonlyMap<ResourceId, WrittenBy>;
  /**
   * Part of the stack is there, something is to be created, and the audit trail cannot tell whether it was there
   * before.
   */
  readonly trailUnread?: true;
  /** How many requests it took. */
  readonly requests: number;
}

/** What to read: the owner's records, those declared, and those referred to. */
export interface SnapshotRequest {
  readonly org: string;
  /** The value of `gantry/stack`, or undefined to read by name only. */
  readonly owner: string;
  readonly declared: readonly Ref[];
  readonly referenced: readonly Ref[];
}
