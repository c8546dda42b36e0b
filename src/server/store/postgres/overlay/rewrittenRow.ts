import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ChangedRow, Row } from '../../row.ts';

/** The row as a read would return it once it is stored. */
export function storedRow(row: ChangedRow): Row {
  let text: string | undefined;
  return {
    ...row,
    get recordText() {
      text ??= JSON.stringify(row.record);
      return text;
    },
  };
}

/** The same row with another state. Its record is not parsed. */
export function withState(row: Row, state: JsonObject): Row {
  const { seq, kind, gvc, name, uid, version, createdMs, modifiedMs, hidden } = row;
  return {
    ...{ seq, kind, gvc, name, uid, version, createdMs, modifiedMs, hidden, state },
    get record() {
      return row.record;
    },
    get recordText() {
      return row.recordText;
    },
  };
}
