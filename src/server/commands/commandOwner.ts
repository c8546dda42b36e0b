import type { Kind } from '../../schema/record/kinds.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { existingRow } from '../core/findRow.ts';
import type { Row, Transaction } from '../store/row.ts';

/** Kinds that take commands (platform/commands). */
export const commandedKinds = ['org', 'volumeset', 'workload'] as const;
export type CommandedKind = (typeof commandedKinds)[number];

/** The record that takes the commands of a request, or 404. */
export function ownerRow(tx: Transaction, ref: Ref): Row {
  return ref.kind === 'org' ? (tx.get(ref) ?? orgRow(tx)) : existingRow(tx, ref, tx.org);
}

/**
 * The record whose commands are read: also one that is being deleted, as long as it is shown (platform/wire.writes).
 */
export function shownOwnerRow(tx: Transaction, ref: Ref): Row {
  return tx.leaving(ref) ?? ownerRow(tx, ref);
}

/** The record that a command belongs to; undefined once it is gone. */
export function rowOfOwner(tx: Transaction, kind: Kind, uid: string): Row | undefined {
  return kind === 'org' ? ownerRow(tx, { kind, name: tx.org }) : tx.byUid(kind, uid);
}

/** For an org that is stored as facts only. */
function orgRow(tx: Transaction): Row {
  const createdMs = Date.parse(tx.fact('created') ?? '') || 0;
  const record = { name: tx.org };
  return {
    seq: 0,
    kind: 'org',
    name: tx.org,
    gvc: '',
    uid: tx.fact('orgId') ?? '',
    version: 1,
    createdMs,
    modifiedMs: createdMs,
    record,
    recordText: JSON.stringify(record),
    hidden: {},
    state: {},
  };
}
