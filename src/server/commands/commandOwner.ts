import type { Kind } from '../../schema/record/kinds.ts';
import { isOrg } from '../../schema/record/kinds.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { existingRow } from '../core/rows.ts';
import type { Row, Transaction } from '../store/model/row.ts';

/** The kinds that have commands (platform/commands). */
export const commandedKinds = ['org', 'volumeset', 'workload'] as const;
export type CommandedKind = (typeof commandedKinds)[number];

/** The record on which a command is created. Throws 404 if it does not exist. */
export function ownerRow(tx: Transaction, ref: Ref): Row {
  return isOrg(ref.kind) ? (tx.get(ref) ?? orgRow(tx)) : existingRow(tx, ref);
}

/** The record whose commands are read, including a deleted one while it is still shown (platform/wire.writes). */
export function shownOwnerRow(tx: Transaction, ref: Ref): Row {
  return tx.leaving(ref) ?? ownerRow(tx, ref);
}

/** The record that a command belongs to; undefined if it was deleted. */
export function rowOfOwner(tx: Transaction, kind: Kind, uid: string): Row | undefined {
  return isOrg(kind) ? ownerRow(tx, { kind, name: tx.org }) : tx.byUid(kind, uid);
}

/** An org that has no stored record, made from facts. */
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
