import { type JsonObject, own, stringAt } from '../base/json/json.ts';
import type { Risk } from '../schema/facts/risk.ts';
import { customKindFacts } from '../schema/record/customKinds.ts';
import { type Kind, type KnownKind, ofKind } from '../schema/record/kinds.ts';

/** The risks of writing and deleting a whole record, whatever its fields are. */
export interface ActionRisks {
  readonly create: Risk;
  /** At least, for every PATCH: each one writes our tags too. */
  readonly write: Risk;
  /** Never below `endpoint-change`: others may rely on the record. */
  readonly delete: Risk;
}

/** The facts about a kind as a whole; those about its fields are in its definition. */
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

const common = ['create', 'delete', 'edit', 'manage', 'view'] as const;

/** Commands of clients on a volume set (platform/commands.types); each is a permission of its own. */
const volumeCommands = [
  'createVolumeSnapshot',
  'deleteVolume',
  'deleteVolumeSnapshot',
  'expandVolume',
  'replaceVolume',
  'restoreVolume',
  'shrinkVolume',
] as const;

/** Records that nothing runs from: permissions, log targets, access to accounts elsewhere. */
const governing: ActionRisks = { create: 'none', write: 'metadata', delete: 'endpoint-change' };

/** Records that serve traffic, or that something which serves depends on. */
const serving: ActionRisks = { create: 'none', write: 'metadata', delete: 'downtime' };

const facts = {
  /** Workloads reach private networks through it. */
  agent: { permissions: [...common, 'use'], risks: serving },
  auditctx: {
    permissions: ['create', 'edit', 'manage', 'readAudit', 'view', 'writeAudit'],
    risks: governing,
    undeletable: true,
  },
  cloudaccount: { permissions: [...common, 'browse', 'use'], risks: governing },
  deployment: { risks: governing },
  domain: { permissions: [...common, 'use'], risks: serving, namedByHost: true, releases: ['workload'] },
  group: { permissions: common, risks: governing, releases: 'all' },
  /** Its content is deleted with it, endpoints included; volume sets in it are changes of their own. */
  gvc: { permissions: [...common, 'configureLoadBalancer'], risks: serving },
  /**
   * When it can be deleted, no workload uses it any more (platform/deletion.references), so nothing that runs is
   * affected.
   */
  identity: { permissions: [...common, 'use'], risks: governing },
  image: { permissions: [...common, 'pull'], risks: governing },
  /** Its addresses are released, and may be assigned to somebody else. */
  ipset: { permissions: common, risks: serving, boundByMutualLink: true },
  location: { permissions: common, risks: serving },
  org: {
    permissions: [
      'edit',
      'exec',
      'exec.echo',
      'grafanaAdmin',
      'manage',
      'readLogs',
      'readMetrics',
      'readUsage',
      'view',
      'viewAccessReport',
    ],
    risks: governing,
    releases: 'all',
  },
  policy: { permissions: common, risks: governing },
  quota: { permissions: ['create', 'edit', 'manage', 'view'], risks: governing, undeletable: true },
  /** Records that refer to it softly fail at their next start (platform/deletion.references). */
  secret: { permissions: [...common, 'reveal', 'use'], risks: serving, hiddenField: 'data' },
  /** Its keys are deleted with it, and are shown only once: they cannot be restored (platform/deletion.cascade). */
  serviceaccount: {
    permissions: [...common, 'addKey'],
    risks: { create: 'none', write: 'metadata', delete: 'data-loss' },
  },
  task: { permissions: ['delete', 'edit', 'manage', 'view'], risks: governing, unchangeable: true },
  user: {
    permissions: ['delete', 'edit', 'impersonate', 'invite', 'manage', 'view'],
    risks: governing,
    namedByEmail: true,
  },
  /** All its volumes and snapshots are deleted; new ones are charged by the GB (platform/volumeset.classes). */
  volumeset: {
    permissions: [...common, 'exec', ...volumeCommands.map((command) => `exec.${command}`)],
    risks: { create: 'cost-up', write: 'metadata', delete: 'data-loss' },
    storesData: true,
  },
  /** A write of any field, of a tag too, makes a new version, which is rolled out. */
  workload: {
    permissions: [...common, 'configureLoadBalancer', 'connect', 'exec', 'exec.runCronWorkload', 'exec.stopReplica'],
    risks: { create: 'cost-up', write: 'rolling-restart', delete: 'downtime' },
    becomesReady: true,
  },
} satisfies Readonly<Record<KnownKind, KindFacts>>;

/** The facts of the kinds that the schema describes. */
const knownKindFacts: Readonly<Record<KnownKind, KindFacts>> = facts;

/**
 * Of a custom kind nothing is known but what the user said: what changes in it may interrupt what depends on it, and
 * what is deleted may be lost. No policy can be about it.
 */
const customFacts: KindFacts = {
  risks: { create: 'none', write: 'metadata', delete: 'data-loss' },
  mayStore: true,
};
const disposableFacts: KindFacts = { risks: { create: 'none', write: 'metadata', delete: 'downtime' } };

export function kindFacts(kind: Kind): KindFacts {
  return ofKind(knownKindFacts, kind, customKindFacts(kind)?.disposable === true ? disposableFacts : customFacts);
}

/** Can it not be deleted while a record that it refers to refers to it? */
export function isBoundByMutualLink(kind: Kind): boolean {
  return kindFacts(kind).boundByMutualLink === true;
}

/** The field that only `-reveal` shows. */
export function hiddenField(kind: Kind): string | undefined {
  return kindFacts(kind).hiddenField;
}

/** A record without its hidden field, and that field alone where it is there. */
export function partHidden(
  kind: Kind,
  record: JsonObject,
): { readonly shown: JsonObject; readonly hidden: JsonObject } {
  const field = hiddenField(kind);
  const value = field === undefined ? undefined : own(record, field);
  if (field === undefined || value === undefined) return { shown: record, hidden: {} };
  const { [field]: _value, ...shown } = record;
  return { shown, hidden: { [field]: value } };
}

/** Does the record lack its hidden field, because it was read without `-reveal`? */
export function isUnrevealed(kind: Kind, record: JsonObject): boolean {
  const field = hiddenField(kind);
  return field !== undefined && own(record, field) === undefined;
}

export function storesData(kind: Kind): boolean {
  return kindFacts(kind).storesData === true;
}

/** Would something be lost with a record, or can that not be known? */
export function mayStore(kind: Kind): boolean {
  return storesData(kind) || kindFacts(kind).mayStore === true;
}

export function becomesReady(kind: Kind): boolean {
  return kindFacts(kind).becomesReady === true;
}

export function isNamedByHost(kind: Kind): boolean {
  return kindFacts(kind).namedByHost === true;
}

export function isNamedByEmail(kind: Kind): boolean {
  return kindFacts(kind).namedByEmail === true;
}

/** Audit contexts, quotas and built-in records cannot be deleted: removing one from a stack means to forget it. */
export function isUndeletable(kind: Kind, record: JsonObject): boolean {
  return kindFacts(kind).undeletable === true || stringAt(record, 'origin') === 'builtin';
}

/** Does a policy grant this on records of the kind? */
export function hasPermission(kind: Kind, permission: string): boolean {
  return kindFacts(kind).permissions?.includes(permission) === true;
}

/** Can the target be deleted although a record of this kind refers to it? */
export function releases(kind: Kind, target: Kind): boolean {
  const { releases: released = [] } = kindFacts(kind);
  return released === 'all' || released.includes(target);
}

/** Kinds that a policy can be about although they have no records here, with the permissions that it can grant. */
const foreignTargets = { mk8s: [...common, 'clusterAdmin'] };

/** The permissions that a policy can grant, by the kind that it is about (platform/access.permissions). */
export const permissions: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Object.entries(knownKindFacts).map(([kind, facts]) => [kind, facts.permissions ?? []] as const),
    ...Object.entries(foreignTargets),
  ].filter(([, granted]) => granted.length > 0),
);

/** Kinds that a policy can be about. */
export type TargetKind =
  | { [K in KnownKind]: (typeof facts)[K] extends { readonly permissions: unknown } ? K : never }[KnownKind]
  | keyof typeof foreignTargets;

export const targetKinds: readonly TargetKind[] = [...permissions.keys()].filter(isTargetKind).sort();

function isTargetKind(kind: string): kind is TargetKind {
  return permissions.has(kind);
}

/** Each of these also permits reading a record (platform/access.permissions). */
export const viewing: ReadonlySet<unknown> = new Set(['view', 'create', 'edit', 'delete', 'manage']);

/** The platform deletes them although a record that stays needs them to run; a test compares with the schema. */
export const losable: readonly Kind[] = ['gvc', 'secret', 'workload'];
