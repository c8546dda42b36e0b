import type { SQLOutputValue } from 'node:sqlite';
import { isObject, type JsonObject, type JsonValue, objectAt } from '../../../base/json/json.ts';
import { type Kind, kindNamed } from '../../../schema/record/kinds.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { type Due, type Entry, journalNamed, type NewRow, type Row } from './row.ts';
import { storageDamaged } from './storageFailure.ts';

/** The unchecked value of a column or of a stored JSON text. A wrong type means a damaged database. */
export type StoredValue = SQLOutputValue | JsonValue | undefined;

export type Columns = Readonly<Record<string, SQLOutputValue>>;

export function parseObject(text: StoredValue): JsonObject {
  const value = text === '{}' ? {} : parsed(textOf(text));
  if (!isObject(value)) throw storageDamaged('a record in it is not an object');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw storageDamaged('a record in it is not JSON');
  }
}

export function textOf(value: StoredValue): string {
  if (typeof value !== 'string') throw storageDamaged('a value in it is not text');
  return value;
}

export function numberOf(value: StoredValue): number {
  if (typeof value !== 'number') throw storageDamaged('a value in it is not a number');
  return value;
}

export function kindOf(value: StoredValue): Kind {
  const kind = kindNamed(value);
  if (kind === undefined) {
    throw new ApiFailure(
      409,
      `the database contains records of the kind ${String(value)}, which nothing defines: define it under kinds ` +
        'in gantry.yaml; for gantry serve, give that file as --kinds',
    );
  }
  return kind;
}

export function dueOf(columns: Columns): Due {
  return {
    key: textOf(columns['key']),
    atMs: numberOf(columns['at']),
    job: textOf(columns['job']),
    about: parseObject(columns['about']),
  };
}

export function entryOf(columns: Columns): Entry {
  const journal = journalNamed(columns['journal']);
  if (journal === undefined) throw new Error('the database contains a journal that this version does not know');
  const bodyText = textOf(columns['body']);
  let body: JsonObject | undefined;
  return {
    seq: numberOf(columns['seq']),
    journal,
    id: textOf(columns['id']),
    owner: textOf(columns['owner']),
    kind: textOf(columns['kind']),
    name: textOf(columns['name']),
    subject: textOf(columns['subject']),
    context: textOf(columns['context']),
    atMs: numberOf(columns['at']),
    // Parsed on first use, because the columns show that most scanned entries do not match.
    get body() {
      body ??= parseObject(bodyText);
      return body;
    },
  };
}

/** A row from the columns of the table `records`. `parsed`: the parsed texts, if known. */
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
    // Parsed on first use, because most responses need only the text.
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

/** A deleted row as text, without its hidden fields. */
export function textOfLeaving(row: NewRow): string {
  const { kind, gvc, name, uid, version, createdMs, modifiedMs, record, state } = row;
  return JSON.stringify({ kind, gvc, name, uid, version, createdMs, modifiedMs, record, state });
}

/** Reads the text of `textOfLeaving`. The row is not part of any list. */
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
