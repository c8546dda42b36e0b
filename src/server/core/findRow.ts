import { isNamedByEmail } from '../../kinds/kindFacts.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';
import { notFound } from '../http/apiFailure.ts';
import type { Row, Transaction } from '../store/model/row.ts';

/** The record at this address; a user also by its id (platform/group.members). */
export function findRow(tx: Transaction, ref: Ref): Row | undefined {
  const row = tx.get(ref);
  if (row !== undefined || !isNamedByEmail(ref.kind)) return row;
  return tx.get({ ...ref, name: ref.name.toLowerCase() }) ?? tx.byUid(ref.kind, ref.name);
}

/** The same, or 404; also for the content of a GVC that is being deleted in steps (gvcDeletion.ts). */
export function existingRow(tx: Transaction, ref: Ref): Row {
  const row = findRow(tx, ref);
  if (row === undefined) throw notFound(linkOf(ref, tx.org));
  if (row.gvc !== '') requireParent(tx, row.gvc);
  return row;
}

/** Throws 404 if the GVC of an address does not exist. */
export function requireParent(tx: Transaction, gvc: string | undefined): void {
  if (gvc !== undefined) existingRow(tx, { kind: 'gvc', name: gvc });
}
