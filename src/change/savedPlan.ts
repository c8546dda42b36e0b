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

/** The newest format that this version of Gantry reads, and the one that it writes. */
export const savedFormatVersion = 1;

/** A saved plan, with everything needed to run it, to check that it may still run, and to undo it. */
export interface SavedPlan {
  /** Its bodies contain masks in place of secrets, until `restoreSecrets` fills these in. */
  readonly plan: Plan;
  readonly inputs: SavedInputs;
  readonly options: SavedOptions;
  readonly directives: 'all' | 'stated';
  /** Secrets whose live values could not be read when it was made. */
  readonly unrevealed: ReadonlySet<ResourceId>;
  /** The declaration of each resource that it changes; sensitive values are masked. */
  readonly declared: readonly DesiredResource[];
  /** The live records that it changes or deletes; sensitive values are masked. */
  readonly live: ReadonlyMap<ResourceId, LiveResource>;
  /** The facts that it relies on, of resources that it does not change. */
  readonly facts: readonly Fact[];
  /** Every sensitive value that is masked in it, and that it would write. */
  readonly secrets: readonly SavedSecret[];
  readonly fingerprints: Fingerprints | undefined;
  /** Absent: there were no policies when it was made. */
  readonly judged?: JudgedBy;
}

/** The policies that a plan was made under, and what they looked at beside what it changes. */
export interface JudgedBy {
  /** Their ids. */
  readonly policies: readonly string[];
  /** The declarations of the resources that it leaves as they are; sensitive values are masked. */
  readonly beside: readonly DesiredResource[];
}

/** Where the plan came from. */
export interface SavedInputs {
  /** Relative to the folder in which the plan was made. */
  readonly paths: readonly string[];
  /** Of manifests that name none. */
  readonly gvc?: string;
  /** Of those of `gantry.yaml`, the one that was chosen. */
  readonly environment?: string;
}

/** The options that it was planned with. The owner is in the plan; a destroy is never saved. */
export type SavedOptions = Omit<
  PlanOptions,
  | 'owner'
  | 'hash'
  | 'destroys'
  | 'declaredHere'
  | 'promised'
  | 'before'
  | 'elsewhere'
  | 'others'
  | 'moment'
  | 'unqualified'
>;

export type Fact =
  /** It is there, and is this record (the platform's own id). */
  | { readonly fact: 'exists'; readonly ref: Ref; readonly uid: string }
  /** A deleted GVC contains these records and no others. */
  | { readonly fact: 'children'; readonly ref: Ref; readonly holds: readonly ChildUid[] }
  /** It belongs to the stack that it was handed over to, or to none yet. */
  | { readonly fact: 'handedOver'; readonly ref: Ref; readonly to: string }
  /** A value of it was written into another record. */
  | { readonly fact: 'value'; readonly ref: Ref; readonly path: string; readonly value: JsonValue };

export interface ChildUid {
  readonly id: ResourceId;
  readonly uid: string;
}

/** Stands for one sensitive value: where it belongs, and how it is recognised. */
export interface SavedSecret {
  readonly resource: ResourceId;
  /** `record`: what is declared; the others are the bodies of the change. */
  readonly in: 'record' | 'create' | 'patch' | 'then';
  readonly at: Pointer;
  readonly fingerprint: string;
}

/** How fingerprints are made: with the key in `GANTRY_SECRET_KEY`, or so that guessing is slow. Salts are base64url. */
export type Fingerprints =
  | { readonly method: 'hmac-sha256'; readonly salt: string }
  | { readonly method: 'scrypt'; readonly salt: string; readonly n: number; readonly r: number; readonly p: number };

/** A digest of a text, base64url. With a key, only its owner can compute it. */
export interface Digest {
  readonly method: 'sha256' | 'hmac-sha256';
  readonly of: (text: string) => string;
}

/**
 * The reasons against applying a saved plan now: the limits that its environment has now, and those that it had when
 * the plan was made. Neither loosens the other.
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
