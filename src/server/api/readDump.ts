import { isArray, isObject, type JsonObject, type JsonValue, listAt, objectAt, own } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { type Kind, kindNamed } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import type { Ref } from '../../schema/record/ref.ts';
import {
  type Due,
  type Dump,
  type DumpedRow,
  jobNamed,
  jobNames,
  journalNamed,
  journals,
  type LeavingRow,
  type Loaded,
  type NewEntry,
  type NewRow,
  type OrgDump,
} from '../store/model/row.ts';
import type { SnapshotPart } from './snapshotItems.ts';

export const snapshotFormat = 1;

/** The maximum time of a Date, in milliseconds since 1970. */
const latestMs = 8_640_000_000_000_000;

/** Reads a snapshot of `GET /-snapshot`. Adds to `problems`, each with its path. */
export function readDump(body: JsonObject, problems: Problem[]): Dump {
  const reader = new Reader(problems);
  if (own(body, 'format') !== snapshotFormat) reader.wrong(['format'], `must be ${snapshotFormat}`);
  const orgs = own(body, 'orgs');
  if (!isObject(orgs)) {
    reader.wrong(['orgs'], 'must be an object of orgs');
    return {};
  }
  return Object.fromEntries(
    Object.entries(orgs).map(([org, held]): readonly [string, OrgDump] => {
      return [org, reader.org(isObject(held) ? held : {}, ['orgs', org])];
    }),
  );
}

/**
 * Reads one part of a snapshot. Returns undefined if it has nothing to store. Adds to `problems`, each with its path.
 */
export function readPart(part: SnapshotPart, problems: Problem[]): Loaded | undefined {
  const reader = new Reader(problems);
  if (part.of === 'document') reader.document(part.name, part.value);
  if (part.of === 'document' || part.of === 'org') return undefined;
  const { org, name, value } = part;
  return part.of === 'item'
    ? reader.item(org, name, value, ['orgs', org, name, part.index])
    : reader.member(org, name, value, ['orgs', org, name]);
}

const listNames = ['records', 'leaving', 'entries', 'due'] as const;

function isListName(name: string): name is (typeof listNames)[number] {
  return listNames.some((known) => known === name);
}

class Reader {
  readonly #problems: Problem[];

  constructor(problems: Problem[]) {
    this.#problems = problems;
  }

  wrong(pointer: Pointer, message: string): void {
    this.#problems.push({ rule: 'snapshot', path: pointer.join('.'), pointer, message, severity: 'error' });
  }

  document(name: string, value: JsonValue): void {
    if (name === 'format' && value !== snapshotFormat) this.wrong(['format'], `must be ${snapshotFormat}`);
    if (name === 'orgs') this.wrong(['orgs'], 'must be an object of orgs');
  }

  /** Reads a member of an org: facts, or a value that should be a list. */
  member(org: string, name: string, value: JsonValue, at: Pointer): Loaded | undefined {
    if (name !== 'facts') {
      if (isListName(name)) this.wrong(at, 'must be a list');
      return undefined;
    }
    const facts = Object.entries(this.#object(value, at));
    return {
      org,
      of: 'facts',
      facts: Object.fromEntries(facts.map(([key, text]) => [key, this.#text(text, [...at, key])])),
    };
  }

  item(org: string, name: string, value: JsonValue, at: Pointer): Loaded | undefined {
    if (!isListName(name)) return undefined;
    const item = this.#object(value, at);
    switch (name) {
      case 'records':
        return { org, of: 'record', row: this.#record(item, at) };
      case 'leaving':
        return { org, of: 'leaving', left: this.#left(item, at) };
      case 'entries':
        return { org, of: 'entry', entry: this.#entry(item, at) };
      case 'due':
        return { org, of: 'due', due: this.#due(item, at) };
    }
  }

  org(held: JsonObject, at: Pointer): OrgDump {
    const facts = Object.entries(objectAt(held, 'facts'));
    if (facts.every(([key]) => key !== 'created')) this.wrong([...at, 'facts', 'created'], 'is missing');
    return {
      facts: Object.fromEntries(facts.map(([key, value]) => [key, this.#text(value, [...at, 'facts', key])])),
      records: this.#list(held, 'records', at, (item, place) => this.#record(item, place)),
      leaving: this.#list(held, 'leaving', at, (item, place) => this.#left(item, place)),
      entries: this.#list(held, 'entries', at, (item, place) => this.#entry(item, place)),
      due: this.#list(held, 'due', at, (item, place) => this.#due(item, place)),
    };
  }

  #record(item: JsonObject, at: Pointer): DumpedRow {
    const targets = this.#list(item, 'targets', at, (target, where) => this.#ref(target, where));
    return { ...this.#row(item, at), targets };
  }

  #left(item: JsonObject, at: Pointer): LeavingRow {
    return {
      row: this.#row(objectAt(item, 'row'), [...at, 'row']),
      untilMs: this.#whole(own(item, 'untilMs'), [...at, 'untilMs'], latestMs),
    };
  }

  #row(item: JsonObject, at: Pointer): NewRow {
    return {
      kind: this.#kind(own(item, 'kind'), [...at, 'kind']),
      gvc: this.#key(own(item, 'gvc'), [...at, 'gvc']),
      name: this.#key(own(item, 'name'), [...at, 'name']),
      uid: this.#key(own(item, 'uid'), [...at, 'uid']),
      version: this.#whole(own(item, 'version'), [...at, 'version'], Number.MAX_SAFE_INTEGER),
      createdMs: this.#whole(own(item, 'createdMs'), [...at, 'createdMs'], latestMs),
      modifiedMs: this.#whole(own(item, 'modifiedMs'), [...at, 'modifiedMs'], latestMs),
      record: this.#object(own(item, 'record'), [...at, 'record']),
      hidden: objectAt(item, 'hidden'),
      state: objectAt(item, 'state'),
    };
  }

  #ref(item: JsonObject, at: Pointer): Ref {
    const kind = this.#kind(own(item, 'kind'), [...at, 'kind']);
    const name = this.#text(own(item, 'name'), [...at, 'name']);
    const gvc = own(item, 'gvc');
    return typeof gvc === 'string' ? { kind, name, gvc } : { kind, name };
  }

  #entry(item: JsonObject, at: Pointer): NewEntry {
    const journal = journalNamed(own(item, 'journal'));
    if (journal === undefined) this.wrong([...at, 'journal'], `must be one of ${journals.join(', ')}`);
    return {
      journal: journal ?? 'audit',
      id: this.#text(own(item, 'id'), [...at, 'id']),
      owner: this.#text(own(item, 'owner'), [...at, 'owner']),
      kind: this.#text(own(item, 'kind'), [...at, 'kind']),
      name: this.#text(own(item, 'name'), [...at, 'name']),
      subject: this.#text(own(item, 'subject'), [...at, 'subject']),
      context: this.#text(own(item, 'context'), [...at, 'context']),
      atMs: this.#whole(own(item, 'atMs'), [...at, 'atMs'], latestMs),
      body: this.#object(own(item, 'body'), [...at, 'body']),
    };
  }

  #due(item: JsonObject, at: Pointer): Due {
    const job = jobNamed(own(item, 'job'));
    if (job === undefined) this.wrong([...at, 'job'], `must be one of ${jobNames.join(', ')}`);
    return {
      key: this.#text(own(item, 'key'), [...at, 'key']),
      atMs: this.#whole(own(item, 'atMs'), [...at, 'atMs'], latestMs),
      job: job ?? '',
      about: objectAt(item, 'about'),
    };
  }

  #list<T>(holder: JsonObject, key: string, at: Pointer, read: (item: JsonObject, place: Pointer) => T): readonly T[] {
    const value = own(holder, key);
    if (value !== undefined && !isArray(value)) this.wrong([...at, key], 'must be a list');
    return listAt(holder, key).map((item, index) => {
      const place = [...at, key, index];
      return read(this.#object(item, place), place);
    });
  }

  #kind(value: JsonValue | undefined, at: Pointer): Kind {
    const kind = kindNamed(value);
    if (kind === undefined) this.wrong(at, 'must be a kind of record');
    return kind ?? 'gvc';
  }

  #text(value: JsonValue | undefined, at: Pointer): string {
    if (typeof value === 'string') return value;
    this.wrong(at, 'must be text');
    return '';
  }

  /** Reads a text that identifies records, which cannot contain NUL in PostgreSQL. */
  #key(value: JsonValue | undefined, at: Pointer): string {
    const text = this.#text(value, at);
    if (text.includes('\0')) this.wrong(at, 'must not contain the character NUL');
    return text;
  }

  #whole(value: JsonValue | undefined, at: Pointer, most: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
    this.wrong(at, `must be a whole number from 0 to ${most}`);
    return 0;
  }

  #object(value: JsonValue | undefined, at: Pointer): JsonObject {
    if (isObject(value)) return value;
    this.wrong(at, 'must be an object');
    return {};
  }
}
