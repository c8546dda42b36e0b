import type { RecordContext } from '../../schema/record/context.ts';
import { isObject, type JsonObject, objectAt, own } from '../../schema/json/json.ts';
import { linkOf } from '../../schema/record/links.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { notFound } from '../http/apiFailure.ts';
import type { Row, Transaction } from '../store/row.ts';

/** The record at this address; a user also by its id (platform/group.members). */
export function findRow(tx: Transaction, ref: Ref): Row | undefined {
  const row = tx.get(ref);
  if (row !== undefined || ref.kind !== 'user') return row;
  return tx.get({ kind: 'user', name: ref.name.toLowerCase() }) ?? tx.byUid('user', ref.name);
}

/** The same, or 404; also for what is in a GVC that is being deleted: it goes with the next steps of that (gvcDeletion.ts). */
export function existingRow(tx: Transaction, ref: Ref, org: string): Row {
  const row = findRow(tx, ref);
  if (row === undefined) throw notFound(linkOf(ref, org));
  if (row.gvc !== '') requireParent(tx, row.gvc, org);
  return row;
}

/** 404 where the GVC of a GVC-scoped address does not exist. */
export function requireParent(tx: Transaction, gvc: string | undefined, org: string): void {
  if (gvc !== undefined) existingRow(tx, { kind: 'gvc', name: gvc }, org);
}

/** What short links in a record are resolved against: for a GVC, its own name is its GVC. */
export function contextOf({ kind, name, gvc }: Ref, org: string): RecordContext {
  if (kind === 'gvc') return { org, gvc: name };
  return gvc === undefined || gvc === '' ? { org } : { org, gvc };
}

export const protectedTag = 'scheme/protected';

export function isProtected(row: Row): boolean {
  const value = own(objectAt(row.record, 'tags'), protectedTag);
  return value === true || value === 'true';
}

/** Who made the record: `builtin` for the platform itself. */
export function originOf(row: Row): string | undefined {
  const origin = own(objectAt(row.state, 'shown'), 'origin');
  return typeof origin === 'string' ? origin : undefined;
}

/** All that the client owns of it but the values of a secret, and where it comes from: what rules look at. */
export function wholeRecord(row: Row): JsonObject {
  const origin = originOf(row);
  return { ...row.record, ...(origin === undefined ? {} : { origin }) };
}

export function keysOf(row: Row): readonly JsonObject[] {
  const keys = own(row.state, 'keys');
  return Array.isArray(keys) ? keys.filter(isObject) : [];
}
