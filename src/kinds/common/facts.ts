import type { JsonObject } from '../../base/json/json.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { Kind } from '../../schema/record/kinds.ts';

// Apart from `sheet.ts`, because the published declarations load this file, and must load no types of a package.

/** The risks of writing and deleting a whole record, whatever its fields are. */
export interface ActionRisks {
  readonly create: Risk;
  /** At least, for every PATCH: each one writes our tags too. */
  readonly write: Risk;
  /** Never below `endpoint-change`: others may rely on the record. */
  readonly delete: Risk;
}

/** The platform cannot rename (platform/concepts.names). */
export interface RenameLoss {
  /** The loss, in words: a new record of another name does not have it. */
  readonly why: string;
  /** May `lifecycle.replace: true` allow it? */
  readonly allowed: boolean;
}

/** The facts of a kind as a whole that planner and platform need. */
export interface KindFacts {
  /** The permissions that a policy can grant on it (platform/access.permissions). Absent: no policy can be about it. */
  readonly permissions?: readonly string[];
  readonly risks: ActionRisks;
  /**
   * The platform never deletes it: removing it from a stack only ends the ownership (platform/auditctx,
   * platform/concepts.kinds).
   */
  readonly undeletable?: true;
  /** The field that only `-reveal` shows; absent: everything is shown (platform/secret.data). */
  readonly hiddenField?: string;
  /** It stores data, which is lost when it is deleted (platform/volumeset). */
  readonly storesData?: true;
  /** Whether it stores something that cannot be made again is not known. */
  readonly mayStore?: true;
  /** It runs: replicas in the locations of its GVC (platform/workload). */
  readonly runs?: true;
  /** It reserves public addresses (platform/ipset.addresses). */
  readonly holdsAddresses?: true;
  /** It gives permissions to principals (platform/policy). */
  readonly grantsAccess?: true;
  /** Its members have what a policy gives it (platform/group.members). */
  readonly hasMembers?: true;
  /** Programs sign in with its keys (platform/serviceaccount). */
  readonly hasKeys?: true;
  /** It is who workloads act as (platform/identity). */
  readonly actsForWorkloads?: true;
  /** It becomes ready some time after it was written (platform/workload.status). */
  readonly becomesReady?: true;
  /** Its name is a host name, so a record with another name is judged differently. */
  readonly namedByHost?: true;
  /** Links may name it by e-mail address, in any case, or by id (platform/group.members). */
  readonly namedByEmail?: true;
  /** It is answered, not changed: it has no version (platform/task.answers). */
  readonly unchangeable?: true;
  /** It cannot be deleted while a record that it refers to refers to it (platform/ipset.addresses). */
  readonly boundByMutualLink?: true;
  /** The loss when a record is created anew under another name; absent: nothing beyond its manifest. */
  readonly renaming?: RenameLoss;
  /**
   * The use that a record still waits for, in words, although nothing refers to it any more: an address stays bound,
   * and a volume set mounted, for a while. Until then DELETE is refused permanently (platform/deletion,
   * platform/ipset).
   */
  readonly stillInUse?: (status: JsonObject) => string | undefined;
  /** Kinds that can be deleted while it refers to them, strong references included (platform/deletion.references). */
  readonly releases?: 'all' | readonly Kind[];
}

export const usualPermissions = ['create', 'delete', 'edit', 'manage', 'view'] as const;

/** Records that nothing runs from: permissions, log targets, access to accounts elsewhere. */
export const governing: ActionRisks = { create: 'none', write: 'metadata', delete: 'endpoint-change' };

/** Records that serve traffic, or that something which serves depends on. */
export const serving: ActionRisks = { create: 'none', write: 'metadata', delete: 'downtime' };
