import type { JsonObject } from '../../base/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { type NewRow, type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import { modifiedNow } from './clock.ts';
import { referencesOf } from './referencesOf.ts';
import type { UnitOfWork } from './session.ts';

/** A record that the platform itself creates in an org, with its internal state. */
export interface PlatformRecord {
  readonly kind: Kind;
  readonly name: string;
  readonly record: JsonObject;
  readonly state: JsonObject;
}

/** Stores a record that the platform creates. */
export function insertPlatformRecord(
  { platform, tx }: UnitOfWork,
  own: PlatformRecord,
  overrides: Partial<Pick<NewRow, 'uid' | 'createdMs'>> = {},
): Row {
  const { uid = platform.newId(), createdMs = platform.now() } = overrides;
  const ref = { kind: own.kind, name: own.name };
  const row = { ...own, gvc: '', uid, version: 1, createdMs, modifiedMs: createdMs, hidden: {} };
  tx.insert(row, referencesOf(ref, own.record, platform.org));
  return storedRow(tx, ref);
}

/** Stores a change by the platform as a new version. */
export function updatePlatformRecord(
  { platform, tx }: UnitOfWork,
  row: Row,
  changes: Partial<Pick<Row, 'record' | 'state'>>,
): Row {
  const changed = { ...row, ...changes, version: row.version + 1, modifiedMs: modifiedNow(row, platform) };
  tx.update(changed, referencesOf(refOfRow(row), changed.record, platform.org));
  return storedRow(tx, refOfRow(row));
}

/** The record as it was just written. */
export function storedRow(tx: Transaction, ref: Ref): Row {
  const row = tx.get(ref);
  if (row === undefined) throw new Error(`${formatRef(ref)} is missing after it was written`);
  return row;
}
