import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { isNamedByEmail, runs, storesData } from '../../kinds/kindFacts.ts';
import type { Related } from '../../kinds/registry.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { noLimit, type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import { findRow } from './findRow.ts';
import { wholeRecord } from './recordFacts.ts';

/**
 * The other records, for the rules. `targets`: the references of the record under examination. Only workloads that
 * share one of these targets are listed: rules need no others, and a GVC may have thousands.
 */
export function relatedRows(tx: Transaction, targets: readonly Ref[]): Related {
  return {
    get(ref) {
      const row = findRow(tx, ref);
      return row === undefined ? undefined : seen(row);
    },
    list(kind, gvc) {
      // Rules search the users for an id or e-mail address; `get` has already found those by index.
      if (isNamedByEmail(kind)) return [];
      return rowsOf(tx, kind, gvc, targets).map((row) => ({ ref: refOfRow(row), record: seen(row) }));
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

/** Users also have an id (GR2). */
function seen(row: Row): JsonObject {
  return isNamedByEmail(row.kind) ? { ...row.record, id: row.uid } : wholeRecord(row);
}
