import { objectAt } from '../../../base/json/json.ts';
import type { NewRow, Row } from './row.ts';
import { type Columns, kindOf, numberOf, parseObject, textOf } from './storedText.ts';

/** A row from the columns of the table `records`. `parsed`: the values of its texts, if known. */
export function rowOf(columns: Columns, parsed: Partial<Pick<Row, 'hidden' | 'record' | 'state'>> = {}): Row {
  const recordText = textOf(columns['record']);
  const [hiddenText, stateText] = [textOf(columns['hidden']), textOf(columns['state'])];
  let { record, hidden, state } = parsed;
  return {
    seq: numberOf(columns['seq']),
    kind: kindOf(columns['kind']),
    gvc: textOf(columns['gvc']),
    name: textOf(columns['name']),
    uid: textOf(columns['uid']),
    version: numberOf(columns['version']),
    createdMs: numberOf(columns['created']),
    modifiedMs: numberOf(columns['modified']),
    // Parsed on first use: most answers need only the text.
    get record() {
      record ??= parseObject(recordText);
      return record;
    },
    recordText,
    get hidden() {
      hidden ??= parseObject(hiddenText);
      return hidden;
    },
    get state() {
      state ??= parseObject(stateText);
      return state;
    },
  };
}

/** A deleted row as text, without its hidden part. */
export function textOfLeaving(row: NewRow): string {
  const { kind, gvc, name, uid, version, createdMs, modifiedMs, record, state } = row;
  return JSON.stringify({ kind, gvc, name, uid, version, createdMs, modifiedMs, record, state });
}

/** The row that `textOfLeaving` wrote. It is not part of any list. */
export function leavingOf(text: string): Row {
  const row = parseObject(text);
  const record = objectAt(row, 'record');
  return {
    seq: 0,
    kind: kindOf(row['kind']),
    gvc: textOf(row['gvc']),
    name: textOf(row['name']),
    uid: textOf(row['uid']),
    version: numberOf(row['version']),
    createdMs: numberOf(row['createdMs']),
    modifiedMs: numberOf(row['modifiedMs']),
    record,
    recordText: JSON.stringify(record),
    hidden: {},
    state: objectAt(row, 'state'),
  };
}
