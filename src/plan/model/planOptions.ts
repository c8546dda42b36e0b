import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Answers } from '../record/platformValues.ts';
import type { Change } from './change.ts';
import type { Limits } from './limits.ts';
import type { Permits } from './permits.ts';
import type { StoragePrice } from './storageUse.ts';

/** Decisions about a plan, from the command line, the settings and the author of a stack. */
export interface PlanOptions extends Permits {
  readonly owner: string;
  /** Without a `project` the owner's name is not unique: resources that carry it may belong to another project. */
  readonly unqualified?: true;
  /** A whole stack deletes its resources that are no longer declared; a partial input only lists them. */
  readonly scope: 'whole' | 'partial';
  /** `gantry destroy`: ignore the manifests, as if nothing were declared. @default false */
  readonly destroys?: boolean;
  /**
   * `gantry undo`: the declarations come from a saved plan, without secret values; one note for all says what this
   * loses.
   */
  readonly undoes?: true;
  /** `gantry destroy`: what the current manifests declare, as far as they could be read. */
  readonly declaredHere?: readonly ResourceId[];
  /** `--wait`: wait for every declared workload, even if it is unchanged. */
  readonly wait: boolean;
  /** `--target`: ids, or patterns with `*`, of the resources to change; empty for all. */
  readonly targets: readonly string[];
  /** `--exclude`: patterns of ids that are not changed. */
  readonly excludes: readonly string[];
  readonly before?: Before;
  /** By resource, the other stack of the app that declares it. */
  readonly elsewhere?: ReadonlyMap<ResourceId, string>;
  /** The other stacks of the same project. */
  readonly others?: readonly OtherStack[];
  /** Limits of one or more environments; no permit overrides them. */
  readonly limits?: readonly Limits[];
  /** The plan is run on a copy of the platform before it can be applied. */
  readonly rehearsed?: true;
  /** When and for what it is planned; without it only the plan's effects are limited. */
  readonly moment?: Moment;
  /** For the cost of storage; without it only GB are counted. */
  readonly storagePrice?: StoragePrice;
  /** Records of the snapshot that show writes of this stack: responses to them, or later reads. */
  readonly answers?: Answers;
  /** A short hash (at least 12 URL-safe characters) of a text; deterministic. */
  readonly hash: (text: string) => string;
}

/** The changes of other stacks that are applied before this plan, or already have been. */
export type Before = ReadonlyMap<ResourceId, ChangeBefore>;

interface ChangeBefore {
  readonly change: Change;
  /** The record that it was planned from. */
  readonly found: LiveResource | undefined;
}

/**
 * `isApplied`: it is applied immediately; otherwise the file that it is saved in is checked again at its apply.
 * `isSigned`: that file is signed.
 */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly isApplied: boolean;
  readonly isSigned?: boolean | undefined;
}

/** Another stack of the same project: its declarations are known before planning. */
export interface OtherStack {
  readonly owner: string;
  readonly desired: readonly DesiredResource[];
  /** Whether the same run applies it, so that a deletion can wait for it. */
  readonly inRun: boolean;
}

/** A use declared in another stack. */
export interface DeclaredUse {
  readonly owner: string;
  readonly by: ResourceId;
  readonly path: string;
  readonly at: Position;
  /** Whether the platform refuses the deletion. */
  readonly blocks: boolean;
}
