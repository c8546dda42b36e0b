import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import { suggest } from '../../base/text/suggest.ts';
import { available } from '../../base/text/suggestion.ts';
import { parsePath } from '../../schema/shape/paths.ts';
import type { ListShape, ScalarShape, Shape } from '../../schema/shape/shape.ts';
import { UsageError } from '../../terminal/usageError.ts';

/** One `--set PATH=VALUE`, `--set PATH+=VALUE`, `--set PATH-=VALUE` or `--unset PATH`. */
interface Assignment {
  readonly path: string;
  readonly does: 'set' | 'add' | 'remove' | 'unset';
  readonly value: string;
}

type Body = Record<string, JsonValue>;

/**
 * The body of a PATCH for `update`: values have the types of the schema, items of lists are named by their key
 * (platform/patch.clients, platform/clients.settable). Errors: `cli.usage`.
 */
export function setPatch(shape: Shape, { sets = [], unsets = [], paths = (path) => path }: Assignments): JsonObject {
  const body: Body = {};
  for (const text of sets) {
    const assignment = assignmentOf(text);
    assign(body, shape, { ...assignment, path: paths(assignment.path) });
  }
  for (const path of unsets) assign(body, shape, { path: paths(path), does: 'unset', value: '' });
  return body;
}

export interface Assignments {
  readonly sets?: readonly string[];
  readonly unsets?: readonly string[];
  /** Translates a path to the neutral vocabulary. */
  readonly paths?: ((path: string) => string) | undefined;
}

/** The paths of the assignments without quotes, in the neutral vocabulary. */
export function assignedPaths({ sets = [], paths = (path) => path }: Assignments): ReadonlySet<string> {
  return new Set(sets.map((text) => segmentsOf(paths(assignmentOf(text).path)).join('.')));
}

function segmentsOf(path: string): readonly string[] {
  return (parsePath(path) ?? []).map((segment) => (segment.any ? '*' : segment.name));
}

function assignmentOf(text: string): Assignment {
  const [, path = '', operator, value = ''] = /^(.+?)(\+=|-=|=)(.*)$/s.exec(text) ?? [];
  if (path === '')
    throw new UsageError(`--set ${text} has no value`, 'Write PATH=VALUE; remove a field with --unset PATH.');
  if (operator === '=') return { path, does: value === 'null' ? 'unset' : 'set', value };
  return { path, does: operator === '+=' ? 'add' : 'remove', value };
}

function assign(body: Body, shape: Shape, assignment: Assignment): void {
  const segments = segmentsOf(assignment.path);
  if (segments.length === 0) throw new UsageError(`${JSON.stringify(assignment.path)} is not a path`, 'Write a.b.c.');
  new Walk(assignment, segments).into(body, shape, 0);
}

class Walk {
  readonly #assignment: Assignment;
  readonly #segments: readonly string[];

  constructor(assignment: Assignment, segments: readonly string[]) {
    this.#assignment = assignment;
    this.#segments = segments;
  }

  /** Writes below an object; `at` is the segment that names one of its fields. */
  into(body: Body, shape: Shape, at: number): void {
    if (shape.type === 'map') {
      this.#member(body, shape.value, at);
      return;
    }
    if (shape.type === 'free') {
      this.#free(body, at);
      return;
    }
    const name = this.#segments[at] ?? '';
    const field = shape.type === 'object' ? shape.fields.get(name) : undefined;
    if (field === undefined) throw this.#unknown(shape, at);
    if (field.facts.responseOnly === true || (at === 0 && name === 'name')) {
      throw new UsageError(`${this.#upTo(at)} is set by the platform`, this.#settable(shape));
    }
    this.#write(body, name, field, at);
  }

  /** A free-form field has no directives. */
  #free(body: Body, at: number): void {
    const { does, value } = this.#assignment;
    if (does === 'add' || does === 'remove') throw this.#noList();
    const said = does === 'unset' ? null : this.#json(value);
    const inner = this.#segments.slice(at).reduceRight<JsonValue>((below, name) => ({ [name]: below }), said);
    for (const [name, member] of Object.entries(isObject(inner) ? inner : {})) put(body, name, member);
  }

  /** The keys of a map of scalars may contain dots: `tags.a.b` is the tag `a.b`. */
  #member(body: Body, value: Shape, at: number): void {
    if (value.type !== 'scalar') {
      this.#write(body, this.#segments[at] ?? '', value, at);
      return;
    }
    const key = this.#segments.slice(at).join('.');
    const { does, value: text } = this.#assignment;
    if (does === 'add' || does === 'remove') throw this.#noList();
    put(body, key, does === 'unset' ? null : this.#scalar(value, text));
  }

  #write(body: Body, name: string, field: Shape, at: number): void {
    if (at === this.#segments.length - 1) this.#leaf(body, name, field);
    else if (field.type === 'list') this.#item(body, name, field, at + 1);
    else if (field.type === 'scalar') throw this.#unknown(field, at + 1);
    else {
      const before = own(body, name);
      const inner: Body = { ...(isObject(before) ? before : {}) };
      this.into(inner, field, at + 1);
      put(body, name, inner);
    }
  }

  #leaf(body: Body, name: string, field: Shape): void {
    const { does, value } = this.#assignment;
    if (does === 'unset') put(body, name, null);
    else if (field.type === 'list') this.#list(body, name, field);
    else if (does !== 'set') throw this.#noList();
    else if (field.type === 'scalar') put(body, name, this.#scalar(field, value));
    else {
      const parsed = this.#json(value);
      put(body, isObject(parsed) ? `$replace/${name}` : name, parsed);
    }
  }

  #list(body: Body, name: string, field: ListShape): void {
    const { does, value } = this.#assignment;
    if (does === 'set') put(body, name, this.#items(field, value));
    else if (does === 'add') this.#append(body, `$append/${name}`, this.#items(field, value));
    else this.#append(body, `$drop/${name}`, [value]);
  }

  #append(body: Body, directive: string, more: readonly JsonValue[]): void {
    const before = own(body, directive);
    put(body, directive, [...(isArray(before) ? before : []), ...more]);
  }

  /** `containers.main.image`: the item with this key, in a `$patch` of the list. */
  #item(body: Body, name: string, list: ListShape, at: number): void {
    const keyField = keyFieldOf(list);
    if (keyField === undefined) {
      throw new UsageError(
        `the items of ${this.#upTo(at - 1)} have no single key`,
        `Give the whole list as JSON: --set '${this.#upTo(at - 1)}=[…]', or use edit.`,
      );
    }
    const key = this.#segments[at] ?? '';
    const isLast = at === this.#segments.length - 1;
    if (isLast && this.#assignment.does === 'unset') {
      this.#append(body, `$drop/${name}`, [key]);
      return;
    }
    const shape = list.item.type === 'object' ? list.item.fields.get(keyField) : undefined;
    const typedKey = shape?.type === 'scalar' ? this.#scalar(shape, key) : key;
    const directive = `$patch/${name}`;
    const before = own(body, directive);
    const items = isArray(before) ? before.filter(isObject) : [];
    const index = items.findIndex((item) => own(item, keyField) === typedKey);
    const item: Body = { ...(items[index] ?? { [keyField]: typedKey }) };
    if (isLast) this.#wholeItem(item, list.item);
    else this.into(item, list.item, at + 1);
    put(body, directive, index < 0 ? [...items, item] : items.with(index, item));
  }

  /** `env.NAME=text` is short for `env.NAME.value=text`; other items are JSON. */
  #wholeItem(item: Body, shape: Shape): void {
    const { does, value } = this.#assignment;
    if (does !== 'set') throw this.#noList();
    const field = shape.type === 'object' ? shape.fields.get('value') : undefined;
    if (field?.type === 'scalar') {
      put(item, 'value', this.#scalar(field, value));
      return;
    }
    const parsed = this.#json(value);
    if (!isObject(parsed)) throw new UsageError(`${this.#assignment.path} takes a JSON object`);
    for (const [key, member] of Object.entries(parsed)) put(item, key, member);
  }

  #items(list: ListShape, text: string): readonly JsonValue[] {
    if (text.startsWith('[')) {
      const parsed = this.#json(text);
      if (isArray(parsed)) return parsed;
    }
    const { item } = list;
    if (item.type === 'scalar') return text === '' ? [] : text.split(',').map((each) => this.#scalar(item, each));
    return [this.#json(text)];
  }

  #takes(what: string, text: string, example: string): UsageError {
    const { path } = this.#assignment;
    return new UsageError(`${path} takes ${what}, not ${JSON.stringify(text)}`, `Write --set ${path}=${example}.`);
  }

  #scalar({ of }: ScalarShape, text: string): JsonValue {
    if (of === 'number') {
      if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
      throw this.#takes('a number', text, '3');
    }
    if (of === 'boolean') {
      if (text === 'true' || text === 'false') return text === 'true';
      throw this.#takes('true or false', text, 'true');
    }
    return text;
  }

  #json(text: string): JsonValue {
    try {
      return JSON.parse(text);
    } catch {
      throw new UsageError(
        `${this.#assignment.path} takes JSON`,
        `For example --set '${this.#assignment.path}={"a": 1}'.`,
      );
    }
  }

  #noList(): UsageError {
    return new UsageError(`${this.#assignment.path} is not a list`, 'Only lists take += and -=.');
  }

  #upTo(at: number): string {
    return this.#segments.slice(0, at + 1).join('.');
  }

  #unknown(shape: Shape, at: number): UsageError {
    const meant = shape.type === 'object' ? suggest(this.#segments[at] ?? '', shape.fields.keys()) : undefined;
    const message = `there is no field ${this.#upTo(at)}`;
    if (meant === undefined) return new UsageError(message, this.#settable(shape));
    return new UsageError(message, `Did you mean ${[...this.#segments.slice(0, at), meant].join('.')}?`);
  }

  #settable(shape: Shape): string {
    if (shape.type !== 'object') return 'It has no fields.';
    const names = [...shape.fields].filter(([, { facts }]) => facts.responseOnly !== true).map(([name]) => name);
    return available(names);
  }
}

/** The single key field of a list's items; undefined if the key is missing or has several fields. */
export function keyFieldOf({ facts: { list } }: ListShape): string | undefined {
  if (list?.class !== 'keyed') return undefined;
  const [part, ...others] = list.key.parts;
  return others.every(({ optional }) => optional === true) ? part?.fields[0] : undefined;
}
