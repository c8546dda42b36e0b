import type { JsonValue } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { type Circumstances, refuseBeyondLimits, refuseNow } from '../plan/checks/refusePlan.ts';
import type { Refusal } from '../plan/model/change.ts';
import type { Limits } from '../plan/model/limits.ts';
import type { Plan } from '../plan/model/plan.ts';
import type { PlanOptions } from '../plan/model/planOptions.ts';
import type { Ref, ResourceId } from '../schema/record/ref.ts';

/** The newest format that this version of Gantry reads, and the one it writes. */
export const savedFormatVersion = 1;

/** A saved plan, with everything needed to run it, to check that it may still run, and to undo it. */
export interface SavedPlan {
  /** Its bodies contain masks instead of secrets until `restoreSecrets` fills them in. */
  readonly plan: Plan;
  readonly inputs: SavedInputs;
  readonly options: SavedOptions;
  readonly directives: 'all' | 'stated';
  /** Secrets whose live values could not be read at planning. */
  readonly unrevealed: ReadonlySet<ResourceId>;
  /** The declarations of changed resources; sensitive values are masked. */
  readonly declared: readonly DesiredResource[];
  /** The live records that are changed or deleted; sensitive values are masked. */
  readonly live: ReadonlyMap<ResourceId, LiveResource>;
  /** The facts about unchanged resources that the plan relies on. */
  readonly facts: readonly Fact[];
  /** Every sensitive value that the plan would write and that is masked in it. */
  readonly secrets: readonly SavedSecret[];
  readonly fingerprints: Fingerprints | undefined;
  /** Absent if there were no policies. */
  readonly judged?: JudgedBy;
}

/** The policies that a plan was made under, and the other resources that they examined. */
export interface JudgedBy {
  /** Their ids. */
  readonly policies: readonly string[];
  /** The declarations of unchanged resources; sensitive values are masked. */
  readonly beside: readonly DesiredResource[];
}

/** The origin of the plan. */
export interface SavedInputs {
  /** Relative to the folder in which the plan was made. */
  readonly paths: readonly string[];
  /** For manifests that name none. */
  readonly gvc?: string;
  /** The chosen environment of `gantry.yaml`. */
  readonly environment?: string;
}

/** The options of the planning. The owner is in the plan; a destroy is never saved. */
export type SavedOptions = Omit<
  PlanOptions,
  'owner' | 'hash' | 'destroys' | 'declaredHere' | 'before' | 'elsewhere' | 'others' | 'moment' | 'unqualified'
>;

export type Fact =
  /** It exists, and is this record (the platform's own id). */
  | { readonly fact: 'exists'; readonly ref: Ref; readonly uid: string }
  /** A deleted GVC contains only these records. */
  | { readonly fact: 'children'; readonly ref: Ref; readonly holds: readonly ChildUid[] }
  /** It belongs to the stack that it was handed over to, or to none yet. */
  | { readonly fact: 'handedOver'; readonly ref: Ref; readonly to: string }
  /** One of its values was written into another record. */
  | { readonly fact: 'value'; readonly ref: Ref; readonly path: string; readonly value: JsonValue };

export interface ChildUid {
  readonly id: ResourceId;
  readonly uid: string;
}

/** Represents one sensitive value: its place, and the fingerprint that recognises it. */
export interface SavedSecret {
  readonly resource: ResourceId;
  /** `record`: the declaration; the others are the bodies of the change. */
  readonly in: 'record' | 'create' | 'patch' | 'then';
  readonly at: Pointer;
  readonly fingerprint: string;
}

/**
 * How fingerprints are made: with the key in `GANTRY_SECRET_KEY`, or slowly to prevent guessing. Salts are base64url.
 */
export type Fingerprints =
  | { readonly method: 'hmac-sha256'; readonly salt: string }
  | { readonly method: 'scrypt'; readonly salt: string; readonly n: number; readonly r: number; readonly p: number };

/** A digest of a text, base64url. With a key, only its owner can compute it. */
export interface Digest {
  readonly method: 'sha256' | 'hmac-sha256';
  readonly of: (text: string) => string;
}

/**
 * The reasons against applying a saved plan now: the present limits of its environment, and those at planning. Neither
 * loosens the other.
 */
export function refuseSaved(
  { plan, options }: Pick<SavedPlan, 'plan' | 'options'>,
  limitsNow: readonly Limits[],
  { nowMs, isSigned }: Pick<Circumstances, 'nowMs' | 'isSigned'>,
): readonly Refusal[] {
  const circumstances = { nowMs, isSigned, isRehearsed: options.rehearsed === true };
  const all = [...limitsNow, ...(options.limits ?? [])];
  return [...refuseBeyondLimits(plan, all), ...refuseNow(all, circumstances)];
}
