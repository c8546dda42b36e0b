import type { Body } from '../../manifest/model/body.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Cause } from './cause.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { FieldChange } from './fieldChange.ts';
import type { StorageUse } from './storageUse.ts';
import type { GvcLoss } from '../record/gvcLosses.ts';

export type Action = 'create' | 'patch' | 'replace' | 'delete' | 'keep' | 'adopt' | 'forget' | 'refuse';

/** Why one change waits for another. */
export interface Edge {
  /** The change that must be done first. */
  readonly on: ResourceId;
  /** For people: `spec.identityLink refers to it`. */
  readonly because: string;
  /** A soft edge orders, but a failure of `on` does not skip the waiting change. */
  readonly soft: boolean;
  /** The waiting change needs `on` to be ready, not only written. */
  readonly ready?: true;
  /**
   * Which step of `on` must be done. Absent: its write (of a two-step change the first one; of a replacement the
   * creation), or its deletion if it is one. `delete`: the DELETE half of a replacement. `then`: the second step.
   */
  readonly step?: 'delete' | 'then';
}

/** Why a change is refused and what would allow it. */
export interface Refusal {
  /** Stable and dotted: `delete.bystander`, `delete.data`, `delete.protected`, `adopt.not-asked`, ... */
  readonly code: string;
  readonly message: string;
  /** The flag or manifest field that would allow it; undefined when nothing does. */
  readonly allow?: string;
}

/** What will happen to one resource. */
export interface Change {
  readonly id: ResourceId;
  readonly ref: Ref;
  readonly kind: Kind;
  readonly name: string;
  readonly gvc?: string;
  readonly action: Action;
  /** What a refused change would have been; set exactly when `action` is `refuse`. */
  readonly intended?: Action;
  /** Empty only for `keep`. */
  readonly reason: string;
  /** Why a record of this stack is not what is declared; absent where nothing of it is compared (a creation, a deletion). */
  readonly cause?: Cause;
  readonly fields: readonly FieldChange[];
  /** POST body of a create or of the second half of a replace. */
  readonly create?: Body;
  /** PATCH body of patch, adopt and forget, with `id` and `version`. */
  readonly patch?: Body;
  /** A second PATCH, sent when everything in `thenRequires` is done (two-step changes); without `id` and `version`. */
  readonly then?: Body;
  readonly thenRequires?: readonly Edge[];
  /** The record after the write, in normal form: what the reply must equal on the fields it names. */
  readonly expected?: Body;
  /** The same after `then`. */
  readonly expectedThen?: Body;
  readonly liveVersion?: number;
  /** The platform's own id of the live record. */
  readonly liveUid?: string;
  /** Before its write: POST or PATCH, or the DELETE of a deletion. Of a replacement: before the POST. */
  readonly requires: readonly Edge[];
  /**
   * Of a replacement only: before the DELETE. The POST waits for the DELETE anyway, and so does the DELETE for what the
   * POST waits for, as far as that does not wait for the DELETE itself.
   */
  readonly deleteRequires?: readonly Edge[];
  /** Ids that the platform deletes along with this one, bystanders included. */
  readonly cascadesTo: readonly ResourceId[];
  /** Set on an owned child that goes with its GVC's DELETE: the id of that GVC. No request of its own. */
  readonly via?: ResourceId;
  /** Wait until ready before the change counts as done. */
  readonly wait: boolean;
  /** How long it may take to become ready (`lifecycle.waitTimeout`); absent: as long as the run says. */
  readonly waitTimeoutMs?: number;
  readonly refusals: readonly Refusal[];
  /** What is reported but not acted on (operational drift, unknown secret state, ...). */
  readonly notes: readonly string[];
  /** The worst that it can do. */
  readonly risk?: Risk;
  /**
   * What loses its data with this deletion, bystanders included. What held none when the plan was made is not among it,
   * and must hold none when it goes: volumes come and are filled without a new version of their record.
   */
  readonly losesData?: readonly ResourceId[];
  /** Resources of others that the update hits: foreign workloads and volume sets in a GVC that loses something. */
  readonly victims?: readonly ResourceId[];
  /** What the update of a container takes from all that live in it. */
  readonly takes?: readonly GvcLoss[];
  /** `lifecycle.part`: only what is declared is owned, of a resource that belongs to somebody else. */
  readonly part?: true;
  /** It is kept because it is not this stack's, or may not be: a copy, or without `gantry/applied`. */
  readonly unowned?: true;
  /** Of the creation half of a renaming: the resource that goes when this one is there. */
  readonly renamedFrom?: ResourceId;
}

export interface Plan {
  readonly formatVersion: 1;
  readonly org: string;
  /** The owner: the value of `gantry/stack`. */
  readonly stack: string;
  /** One for every resource, in a stable order: what is written first stands first. */
  readonly changes: readonly Change[];
  /** Refusals of the plan as a whole (`--max-deletes`, an empty stack, ...). */
  readonly refusals: readonly Refusal[];
  readonly notes: readonly string[];
  readonly requests: { readonly snapshot: number; readonly apply: number };
  /** Nobody says that this platform refuses a PATCH for another version: asked with one request before the first one. */
  readonly preconditions?: 'unsaid';
  /** The platform honours dry runs: creations of replacements are tried before the deletion. */
  readonly dryRun?: 'honoured';
  /** What the volume sets reserve; absent where there are none. */
  readonly storage?: StorageUse;
  /** Of a partial plan: what `--target` and `--exclude` leave for later; absent for a plan of everything. */
  readonly leftOut?: readonly LeftOut[];
}

/** A change that a partial plan does not make. */
export interface LeftOut {
  readonly id: ResourceId;
  readonly action: Action;
}
