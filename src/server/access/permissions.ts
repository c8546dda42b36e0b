import { type JsonObject, objectAt, own, sameJson } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { hasMembers, hasPermission as knowsPermission } from '../../kinds/kindFacts.ts';
import { references } from '../../kinds/references.ts';
import { isCustomKind } from '../../schema/record/customKinds.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, linkOf, type RecordContext, type Ref } from '../../schema/record/ref.ts';
import { namedDomain } from '../core/referencesOf.ts';
import { existingRow, findRow } from '../core/rows.ts';
import type { Session } from '../core/session.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { Presenter } from '../records/shown/presenter.ts';
import { type Row, refOfRow } from '../store/model/row.ts';
import { targetOf, type UnstoredRecord } from './accessTarget.ts';
import { callerLinks, grantsOf } from './callerGrants.ts';
import { allows, allowsAll } from './decisions/grants.ts';
import { leavesSuperusers, superusers } from './decisions/membership.ts';
import { checkedPermission } from './decisions/permissionCatalog.ts';

export type { UnstoredRecord } from './accessTarget.ts';

/** Throws 403 with the permission in brackets if the caller lacks it (platform/errors.statuses). */
export function requirePermission(session: Session, permission: string, target: Row | UnstoredRecord): void {
  if (hasPermission(session, permission, target)) return;
  const ref = 'seq' in target ? refOfRow(target) : target.ref;
  const link = linkOf(ref, session.platform.org);
  throw new ApiFailure(403, `${session.caller.link} lacks the permission [${permission}] on ${link}`);
}

/** The record at this address. Throws 404 if it does not exist, 403 without the permission. */
export function permittedRow(session: Session, permission: string, ref: Ref): Row {
  const row = existingRow(session.tx, ref);
  requirePermission(session, permission, row);
  return row;
}

export function hasPermission(session: Session, permission: string, target: Row | UnstoredRecord): boolean {
  if (session.caller.unrestricted) return true;
  if (isCustomKind(target.kind)) return hasOrgPermission(session, permission);
  return allows(grantsOf(session), target.kind, checkedPermission(target.kind, permission), targetOf(session, target));
}

/** No policy covers custom kinds: callers who may view the org view its records, and those who manage it write them. */
function hasOrgPermission(session: Session, permission: string): boolean {
  return allowsAll(grantsOf(session), 'org', permission === 'view' ? 'view' : 'manage');
}

/** Whether a list may show every record of a kind. */
export function canViewAll(session: Session, kind: Kind): boolean {
  if (isCustomKind(kind)) return session.caller.unrestricted || hasOrgPermission(session, 'view');
  return session.caller.unrestricted || allowsAll(grantsOf(session), kind, 'view');
}

/** A filter for the records of a kind that a list may show. */
export function viewFilter(session: Session, kind: Kind): (row: Row) => boolean {
  if (canViewAll(session, kind)) return () => true;
  const grants = grantsOf(session);
  if (!grants.has(kind)) return () => false;
  const presenter = new Presenter(session.platform, session.tx);
  return (row) => allows(grants, kind, 'view', targetOf(session, row, presenter));
}

/**
 * Requires the permissions of a write besides `create` or `edit`: `configureLoadBalancer` for a changed load balancer
 * (platform/errors.statuses), and `use` on new references (platform/access.needs). `before`: absent for a new record.
 */
export function requireContentPermissions(
  session: Session,
  ref: Ref,
  before: Row | undefined,
  after: JsonObject,
): void {
  if (session.caller.unrestricted) return;
  const { platform, tx } = session;
  const { kind } = ref;
  const write = { kind, before: before?.record, after, context: contextOf(ref, platform.org) };
  if (changesLoadBalancer(write)) {
    requirePermission(session, 'configureLoadBalancer', before ?? { kind, ref, record: after });
  }
  for (const used of newlyUsedRefs(write)) {
    const row = findRow(tx, used);
    if (row !== undefined) requirePermission(session, 'use', row);
  }
}

/** Prevents superusers from removing themselves (platform/group.built-in). */
export function forbidLeavingSuperusers(session: Session, group: Row, after: JsonObject): void {
  if (!hasMembers(group.kind) || group.name !== superusers) return;
  if (!leavesSuperusers(group.record, after, callerLinks(session), session.platform.org)) return;
  throw new ApiFailure(
    400,
    `memberLinks: ${session.caller.link} cannot remove itself from ${formatRef(refOfRow(group))}`,
  );
}

/** Prevents superusers from deleting their own record. */
export function forbidOwnRecord(session: Session, row: Row): void {
  if (linkOf(refOfRow(row), session.platform.org) !== session.caller.link) return;
  const group = session.tx.get({ kind: 'group', name: superusers });
  if (group !== undefined) forbidLeavingSuperusers(session, group, { memberLinks: [] });
}

/** A write of one record, in normal form. `before` is undefined for a new record. */
interface RecordWrite {
  readonly kind: Kind;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
  readonly context: RecordContext;
}

/**
 * Whether the write sets, changes or removes the load balancer, which needs more than `edit`
 * (platform/errors.statuses).
 */
export function changesLoadBalancer({ kind, before, after }: RecordWrite): boolean {
  if (!knowsPermission(kind, 'configureLoadBalancer')) return false;
  return !sameJson(own(objectAt(before ?? {}, 'spec'), 'loadBalancer'), own(objectAt(after, 'spec'), 'loadBalancer'));
}

/** Kinds that refer to records without using them. */
const kindsThatOnlyMention: ReadonlySet<Kind> = new Set<Kind>(['group', 'policy']);

/** The new references of a record that need the permission `use` (platform/access.needs). */
export function newlyUsedRefs({ kind, before, after, context }: RecordWrite): readonly Ref[] {
  if (kindsThatOnlyMention.has(kind)) return [];
  const known = new Set(before === undefined ? [] : usedRefs(kind, before, context).map(formatRef));
  const added = usedRefs(kind, after, context).filter((ref) => !known.has(formatRef(ref)));
  return [...new Map(added.map((ref) => [formatRef(ref), ref])).values()];
}

function usedRefs(kind: Kind, record: JsonObject, context: RecordContext): readonly Ref[] {
  const linked = references(kind, record, context)
    .filter(({ org }) => org === context.org)
    .map(({ target }) => target)
    .filter((target) => knowsPermission(target.kind, 'use'));
  return compact([...linked, namedDomain(kind, record)]);
}
