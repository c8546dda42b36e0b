import { isObject, type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { isNamedByEmail, runs, storesData } from '../../kinds/kindFacts.ts';
import type { Related } from '../../kinds/registry.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { formatRef, linkOf, type Ref } from '../../schema/record/ref.ts';
import { notFound } from '../http/apiFailure.ts';
import { noLimit, type Row, refOfRow, type Transaction } from '../store/model/row.ts';

/** Finds the record at this address; a user also by its id (platform/group.members). */
export function findRow(tx: Transaction, ref: Ref): Row | undefined {
  const row = tx.get(ref);
  if (row !== undefined || !isNamedByEmail(ref.kind)) return row;
  return tx.get({ ...ref, name: ref.name.toLowerCase() }) ?? tx.byUid(ref.kind, ref.name);
}

/** Like `findRow`, or throws 404; also for the content of a GVC that is being deleted in steps (gvcDeletion.ts). */
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

/** All refs that links to the record may have (platform/group.members). */
export function refsOfRow(row: Row): readonly Ref[] {
  const ref = refOfRow(row);
  return isNamedByEmail(row.kind) ? [ref, { ...ref, name: row.uid }] : [ref];
}

/** The origin of the record: `builtin` for the platform itself. */
export function originOf(row: Row): string | undefined {
  const origin = own(objectAt(row.state, 'shown'), 'origin');
  return typeof origin === 'string' ? origin : undefined;
}

/** All fields that the client owns, except the values of a secret, and the origin of the record: the input of rules. */
export function wholeRecord(row: Row): JsonObject {
  const origin = originOf(row);
  return { ...row.record, ...present({ origin }) };
}

export function keysOf(row: Row): readonly JsonObject[] {
  const keys = own(row.state, 'keys');
  return Array.isArray(keys) ? keys.filter(isObject) : [];
}

/**
 * The other records, for the rules. `targets`: the references of the record under examination. Only workloads that
 * share a target are listed: rules need no others, and a GVC may have thousands.
 */
export function relatedRows(tx: Transaction, targets: readonly Ref[]): Related {
  return {
    get(ref) {
      const row = findRow(tx, ref);
      return row === undefined ? undefined : ruleInput(row);
    },
    list(kind, gvc) {
      // Rules search users only by id or e-mail address, by which `get` finds them already.
      if (isNamedByEmail(kind)) return [];
      return rowsOf(tx, kind, gvc, targets).map((row) => ({ ref: refOfRow(row), record: ruleInput(row) }));
    },
  };
}

function rowsOf(tx: Transaction, kind: Kind, gvc: string | undefined, targets: readonly Ref[]): readonly Row[] {
  if (!runs(kind)) return tx.select({ kind, ...present({ gvc }), limit: noLimit });
  const mounted = targets.filter((target) => storesData(target.kind));
  const rows = new Map(
    mounted.flatMap((target) => tx.referrers(target, kind)).map((row) => [formatRef(refOfRow(row)), row]),
  );
  return [...rows.values()].filter((row) => gvc === undefined || row.gvc === gvc);
}

/** The record for rules; a user also has its id (GR2). */
function ruleInput(row: Row): JsonObject {
  return isNamedByEmail(row.kind) ? { ...row.record, id: row.uid } : wholeRecord(row);
}
