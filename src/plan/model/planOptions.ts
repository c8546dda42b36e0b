import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Answers } from '../record/platformValues.ts';
import type { Change } from './change.ts';
import type { Limits } from './limits.ts';
import type { Permits } from './permits.ts';
import type { StoragePrice } from './storageUse.ts';

/** Decisions of the command line, of the settings and of the author of a stack on a plan. */
export interface PlanOptions extends Permits {
  readonly owner: string;
  /** No `project` makes the owner's name unique: what carries it may be of another project. */
  readonly unqualified?: true;
  /** A whole stack prunes what it no longer declares; a partial input only lists it. */
  readonly scope: 'whole' | 'partial';
  /** `gantry destroy`: ignore the manifests, as if nothing were declared. @default false */
  readonly destroys?: boolean;
  /** `gantry undo`: a saved plan declares it, without secret values; what this loses is said once, for all. */
  readonly undoes?: true;
  /** `gantry destroy`: what the manifests at hand declare, as far as they could be read. */
  readonly declaredHere?: readonly ResourceId[];
  /** `--wait`: every declared workload is waited for, an unchanged one too. */
  readonly wait: boolean;
  /** `--target`: ids, or patterns with `*`, of what is to be changed; empty: everything. */
  readonly targets: readonly string[];
  /** `--exclude`: patterns of ids that are not changed. */
  readonly excludes: readonly string[];
  /** Resources that other stacks create before this one is applied: they count as there. */
  readonly promised?: ReadonlySet<ResourceId>;
  readonly before?: Before;
  /** The other stacks of the app that declare something, where they are not applied before this one. */
  readonly elsewhere?: ReadonlyMap<ResourceId, string>;
  /** The other stacks of the same project. */
  readonly others?: readonly OtherStack[];
  /** Of one or more environments: what no permit allows. */
  readonly limits?: readonly Limits[];
  /** It is run on a copy of the platform before anybody can apply it. */
  readonly rehearsed?: true;
  /** When it is planned, and what for; without it only what the plan does is limited. */
  readonly moment?: Moment;
  /** For what storage costs; without it only GB are counted. */
  readonly storagePrice?: StoragePrice;
  /** Records of the snapshot that show writes of this stack: the answers to them, or reads after them. */
  readonly answers?: Answers;
  /** A short hash (at least 12 URL-safe characters) of a text; deterministic. */
  readonly hash: (text: string) => string;
}

/** The changes of other stacks that are carried out before this plan. It may be that they are already. */
export type Before = ReadonlyMap<ResourceId, ChangeBefore>;

interface ChangeBefore {
  readonly change: Change;
  /** The record that it was planned from. */
  readonly found: LiveResource | undefined;
}

/**
 * `isApplied`: it is carried out at once; else the file that it is kept in is checked again when it is applied.
 * `isSigned`: that file is signed.
 */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly isApplied: boolean;
  readonly isSigned?: boolean | undefined;
}

/** Another stack of the same project: what it declares is known before anything is planned. */
export interface OtherStack {
  readonly owner: string;
  readonly desired: readonly DesiredResource[];
  /** The same run applies it too, so that a deletion can wait for it. */
  readonly inRun: boolean;
}

/** A declared use of something, in another stack. */
export interface DeclaredUse {
  readonly owner: string;
  readonly by: ResourceId;
  readonly path: string;
  readonly at: Position;
  /** The platform refuses the deletion. */
  readonly blocks: boolean;
}
