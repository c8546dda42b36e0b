import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';

/** The records of a state, as their owners see them, by `kind/[gvc/]name`; secrets with their values. */
export type Records = Readonly<Record<string, JsonObject>>;

/** Tags of the second writer of a sweep. */
export const foreignPrefix = 'other/';

/** Ids, times, versions and aliases differ in each run; so does the record of the last write, with its version. */
const ownOfEachRun: ReadonlySet<string> = new Set(['gantry/applied']);

export function recordsOf(state: JsonObject, org = 'local'): Records {
  const held = objectAt(objectAt(state, 'orgs'), org);
  const shown = listAt(held, 'records')
    .filter(isObject)
    .filter((row) => row['kind'] !== 'location' && row['kind'] !== 'org')
    .map((row): readonly [string, JsonObject] => [idOf(row), shownRow(row)]);
  return Object.fromEntries([...shown].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function idOf(row: JsonObject): string {
  return [stringAt(row, 'kind'), stringAt(row, 'gvc'), stringAt(row, 'name')].filter((part) => part !== '').join('/');
}

function shownRow(row: JsonObject): JsonObject {
  const record = objectAt(row, 'record');
  const tags = Object.entries(objectAt(record, 'tags')).filter(
    ([key]) => !ownOfEachRun.has(key) && !key.startsWith(foreignPrefix),
  );
  return { ...record, tags: Object.fromEntries(tags), hidden: row['hidden'] ?? {} };
}

/** A record of a state with its identity. */
export interface Held {
  readonly id: string;
  readonly uid: string;
  readonly record: JsonObject;
}

export function heldIn(state: JsonObject, org = 'local'): readonly Held[] {
  return listAt(objectAt(objectAt(state, 'orgs'), org), 'records')
    .filter(isObject)
    .map((row) => ({ id: idOf(row), uid: stringAt(row, 'uid') ?? '', record: objectAt(row, 'record') }));
}
