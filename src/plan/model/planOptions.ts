import type { Risk } from '../../schema/facts/risk.ts';
import type { StoragePrice } from './storagePrice.ts';

/** What the command line, the settings and the author of a stack decide of a plan. */
export interface PlanOptions {
  readonly owner: string;
  /** A whole stack prunes what it no longer declares; a partial input only lists it. */
  readonly scope: 'whole' | 'partial';
  /** `gantry destroy`: nothing is declared, whatever the manifests say. @default false */
  readonly destroys?: boolean;
  readonly adopt: boolean;
  /** Delete undeclared resources of a partial input too. */
  readonly prune: boolean;
  readonly allowCollateral: number;
  readonly allowDataLoss: number;
  /** How many resources may be made anew without values that they are to keep, and that nobody can read. */
  readonly allowLostValues: number;
  /** GVCs are deleted and changed although the token may not view everything in them. @default false */
  readonly allowUnseen?: boolean;
  /** Undefined: no limit (`destroy`). */
  readonly maxDeletes: number | undefined;
  readonly allowEmpty: boolean;
  readonly revertOperational: boolean;
  readonly writeUnknownSecrets: boolean;
  /** `--wait`: every declared workload is waited for, an unchanged one too. */
  readonly wait: boolean;
  /** `--target`: ids, or patterns with `*`, of what is to be changed; empty: everything. */
  readonly targets: readonly string[];
  /** `--exclude`: of what is to be left alone. */
  readonly excludes: readonly string[];
  /** Undefined: no limit. */
  readonly maxRisk: Risk | undefined;
  readonly maxChanges: number | undefined;
  /** For what storage costs; without it only GB are counted. */
  readonly storagePrice?: StoragePrice;
  /** A short hash (at least 12 URL-safe characters) of a text; deterministic. */
  readonly hash: (text: string) => string;
}
