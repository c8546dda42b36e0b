import type { JsonObject } from '../../base/json/json.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { Kind } from '../../schema/record/kinds.ts';

// Not in `sheet.ts`, because the published declarations load this file, which must not load types of a package.

/** The risks of writing and deleting a whole record, regardless of its fields. */
export interface ActionRisks {
  readonly create: Risk;
  /** The minimum for every PATCH: each one writes our tags too. */
  readonly write: Risk;
  /** Never below `endpoint-change`: other systems may rely on the record. */
  readonly delete: Risk;
}

/** The loss when a record is renamed: the platform cannot rename (platform/concepts.names). */
export interface RenameLoss {
  /** Describes what a new record of another name lacks. */
  readonly why: string;
  /** Whether `lifecycle.replace: true` permits it. */
  readonly allowed: boolean;
}

/** The facts of a whole kind that planner and platform need. */
export interface KindFacts {
  /**
   * The permissions that a policy can grant on it (platform/access.permissions). Absent if no policy can be about it.
   */
  readonly permissions?: readonly string[];
  readonly risks: ActionRisks;
  /**
   * The platform never deletes it: removing it from a stack only ends the ownership (platform/auditctx,
   * platform/concepts.kinds).
   */
  readonly undeletable?: true;
  /** The field that only `-reveal` shows; absent if everything is shown (platform/secret.data). */
  readonly hiddenField?: string;
  /** Whether it stores data, which is lost when it is deleted (platform/volumeset). */
  readonly storesData?: true;
  /** Whether it may store something that cannot be created again. */
  readonly mayStore?: true;
  /** Whether it runs as replicas in the locations of its GVC (platform/workload). */
  readonly runs?: true;
  /** Whether it reserves public addresses (platform/ipset.addresses). */
  readonly holdsAddresses?: true;
  /** Whether it grants permissions to principals (platform/policy). */
  readonly grantsAccess?: true;
  /** Whether it has members that inherit its permissions (platform/group.members). */
  readonly hasMembers?: true;
  /** Whether programs sign in with its keys (platform/serviceaccount). */
  readonly hasKeys?: true;
  /** Whether workloads act as it (platform/identity). */
  readonly actsForWorkloads?: true;
  /** Whether it becomes ready only some time after a write (platform/workload.status). */
  readonly becomesReady?: true;
  /** Whether its name is a host name, so that other rules may apply to another name. */
  readonly namedByHost?: true;
  /** Whether links may name it by e-mail address, in any case, or by id (platform/group.members). */
  readonly namedByEmail?: true;
  /** Whether it is answered instead of changed: it has no version (platform/task.answers). */
  readonly unchangeable?: true;
  /** Whether it cannot be deleted while it and another record refer to each other (platform/ipset.addresses). */
  readonly boundByMutualLink?: true;
  /** The loss when a record is created anew under another name; absent if nothing beyond its manifest is lost. */
  readonly renaming?: RenameLoss;
  /**
   * Describes a use that continues without references: an address stays bound, and a volume set mounted, for a while.
   * Until it ends, DELETE is refused permanently (platform/deletion, platform/ipset).
   */
  readonly stillInUse?: (status: JsonObject) => string | undefined;
  /** Kinds that can be deleted while it refers to them, strong references included (platform/deletion.references). */
  readonly releases?: 'all' | readonly Kind[];
}

export const usualPermissions = ['create', 'delete', 'edit', 'manage', 'view'] as const;

/** The risks of records that nothing runs from: permissions, log targets, access to external accounts. */
export const governing: ActionRisks = { create: 'none', write: 'metadata', delete: 'endpoint-change' };

/** The risks of records that serve traffic, or that serving records depend on. */
export const serving: ActionRisks = { create: 'none', write: 'metadata', delete: 'downtime' };
