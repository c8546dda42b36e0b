import type { JsonObject } from '../../../base/json/json.ts';
import { type Due, type Entry, journalNamed } from './row.ts';
import { type Columns, numberOf, parseObject, textOf } from './storedText.ts';

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
    // Parsed on first use: the columns show that most scanned entries do not match.
    get body() {
      body ??= parseObject(bodyText);
      return body;
    },
  };
}
