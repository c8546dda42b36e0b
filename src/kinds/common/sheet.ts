import type { TObject, TSchema } from 'typebox';
import type { JsonObject } from '../../base/json/json.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { CreatableKind, Kind, KnownKind, PermittedKind } from '../../schema/record/kinds.ts';
import type { ClientFacts } from './client.ts';

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
  /** The props of the construct beside those of every construct: the fields of the record, or of its `spec`. */
  readonly props?: 'record' | 'spec';
  /** The field that tells the forms of these props apart. */
  readonly toldApartBy?: string;
  /** The named type of its record, under which its fields are described (`published.ts` beside the sheet). */
  readonly typeName: string;
  /** Good enough for a first one of a kind, and in examples. */
  readonly usualName: string;
  /** Which of the commands that kinds have in common it has; absent: all that its facts allow (platform/clients.operations). */
  readonly verbs?: readonly string[];
  /** The description of its name, where it is not chosen by a client. */
  readonly nameIs?: string;
  /** The fields that the platform sets in a new record. `now`: in ISO 8601. */
  readonly firstShown?: (name: string, now: string) => JsonObject;
  /** The least that a record has beside its name, for one of which nothing else is known. */
  readonly least?: (name: string) => JsonObject;
  /** An org has a quota for how many there are (platform/quota.limits). */
  readonly hasQuota?: true;
  /**
   * Types, JSON Schema, validator and shape come from it. That of a policy depends on what all kinds say: which of them
   * a policy can be about.
   */
  readonly definition: TObject | ((targetKinds: readonly string[]) => TObject);
  readonly variants?: Variants;
  /**
   * Loads the facts that only `gantry KIND VERB` needs, from a file that no plan loads. Absent: the defaults of all
   * kinds.
   */
  readonly client?: (targetKinds: readonly string[]) => Promise<ClientFacts>;
}

/** The sheet of each kind; those that clients create have a construct, and most have permissions. */
export type Sheets = {
  readonly [K in KnownKind]: Sheet &
    (K extends CreatableKind ? { readonly className: string } : unknown) &
    (K extends PermittedKind ? { readonly permissions: readonly string[] } : { readonly permissions?: never });
};

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
