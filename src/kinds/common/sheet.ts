import type { TObject, TSchema } from 'typebox';
import type { Risk } from '../../schema/facts/risk.ts';
import type { CreatableKind, Kind, KnownKind } from '../../schema/record/kinds.ts';

/** The risks of writing and deleting a whole record, whatever its fields are. */
export interface ActionRisks {
  readonly create: Risk;
  /** At least, for every PATCH: each one writes our tags too. */
  readonly write: Risk;
  /** Never below `endpoint-change`: others may rely on the record. */
  readonly delete: Risk;
}

/** What planner and platform have to know of a kind as a whole. */
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
  /** What a policy gives it, its members have (platform/group.members). */
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
  /** Kinds that can be deleted while it refers to them, strong references included (platform/deletion.references). */
  readonly releases?: 'all' | readonly Kind[];
}

/** A field whose definition depends on the value of another field of the record. */
export interface Variants {
  readonly by: string;
  readonly field: string;
  readonly definitions: Readonly<Record<string, TSchema>>;
}

/** All there is to know of a kind beside its rules: the one place where each of this is said. */
export interface Sheet extends KindFacts {
  /** The name of one record in a sentence. */
  readonly one: string;
  readonly many: string;
  /** A description in one or two sentences. */
  readonly about: string;
  /** The class of its construct. */
  readonly className?: string;
  /** The named type of its record, under which its fields are described (`published/words`). */
  readonly typeName: string;
  /** Good enough for a first one of a kind, and in examples. */
  readonly usualName: string;
  /** An org has a quota for how many there are (platform/quota.limits). */
  readonly hasQuota?: true;
  /**
   * Types, JSON Schema, validator and shape come from it. That of a policy depends on what all kinds say: which of them
   * a policy can be about.
   */
  readonly definition: TObject | ((targetKinds: readonly string[]) => TObject);
  readonly variants?: Variants;
}

/** The sheet of each kind; those that clients create have a construct. */
export type Sheets = {
  readonly [K in KnownKind]: K extends CreatableKind ? Sheet & { readonly className: string } : Sheet;
};

export const usualPermissions = ['create', 'delete', 'edit', 'manage', 'view'] as const;

/** Records that nothing runs from: permissions, log targets, access to accounts elsewhere. */
export const governing: ActionRisks = { create: 'none', write: 'metadata', delete: 'endpoint-change' };

/** Records that serve traffic, or that something which serves depends on. */
export const serving: ActionRisks = { create: 'none', write: 'metadata', delete: 'downtime' };
