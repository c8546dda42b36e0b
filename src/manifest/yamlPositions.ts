import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import type { Pointer } from '../base/json/pointer.ts';

/** Events of a field or an item; for an item both are the same. */
interface Child {
  readonly key: number;
  readonly value: number;
}

/**
 * The positions of the values of a parsed YAML text. Results are cached: a file with many resources may have a problem
 * in each.
 */
export class YamlPlaces {
  readonly #source: string;
  readonly #events: readonly Event[];
  /** The first event of each document. */
  readonly #starts: readonly number[];
  /** For each event that begins a value, the first event after that value. */
  readonly #ends: Int32Array;
  readonly #children = new Map<number, ReadonlyMap<string, Child>>();

  constructor(source: string, events: readonly Event[]) {
    this.#source = source;
    this.#events = events;
    this.#starts = events.flatMap((event, index) => (event.type === EVENT_ID.DOCUMENT ? [index] : []));
    this.#ends = endsOf(events);
  }

  /**
   * The offset of the value at `pointer`: of the key for a field, or with `value` of its scalar. The closest enclosing
   * value if it does not exist (a missing field, or one from a merge key).
   */
  offsetOf(document: number, pointer: Pointer, of: 'field' | 'value' = 'field'): number {
    let node = this.#rootOf(document);
    let offset = startOf(this.#events[node]) ?? 0;
    for (const segment of pointer) {
      const child = this.#childrenOf(this.#target(node)).get(String(segment));
      if (child === undefined) return offset;
      offset = startOf(this.#events[child.key]) ?? startOf(this.#events[child.value]) ?? offset;
      node = child.value;
    }
    const event = this.#events[node];
    return (of === 'value' && event?.type === EVENT_ID.SCALAR ? startOf(event) : undefined) ?? offset;
  }

  /** The plain scalar at `pointer`, as written; empty for an empty value. */
  writtenAt(document: number, pointer: Pointer): string | undefined {
    let node = this.#rootOf(document);
    for (const segment of pointer) {
      const child = this.#childrenOf(this.#target(node)).get(String(segment));
      if (child === undefined) return undefined;
      node = child.value;
    }
    const event = this.#events[this.#target(node)];
    if (event?.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) return undefined;
    return this.#source.slice(event.valueStart, event.valueEnd); // (-1, -1) for an empty value
  }

  #rootOf(document: number): number {
    return (this.#starts[document] ?? this.#events.length) + 1;
  }

  /** An alias refers to the last preceding value with its anchor. */
  #target(node: number): number {
    const event = this.#events[node];
    if (event?.type !== EVENT_ID.ALIAS) return node;
    const name = anchorOf(this.#source, event);
    for (let index = node - 1; index >= 0; index -= 1) {
      const other = this.#events[index];
      if (other?.type !== EVENT_ID.ALIAS && anchorOf(this.#source, other) === name) return index;
    }
    return node;
  }

  #childrenOf(node: number): ReadonlyMap<string, Child> {
    const known = this.#children.get(node);
    if (known !== undefined) return known;
    const made = new Map<string, Child>();
    this.#children.set(node, made);
    const type = this.#events[node]?.type;
    if (type !== EVENT_ID.SEQUENCE && type !== EVENT_ID.MAPPING) return made;
    let at = node + 1;
    for (let position = 0; (this.#events[at]?.type ?? EVENT_ID.POP) !== EVENT_ID.POP; position += 1) {
      const value = type === EVENT_ID.SEQUENCE ? at : this.#after(at);
      const key = this.#events[at];
      if (type === EVENT_ID.SEQUENCE) made.set(String(position), { key: at, value });
      else if (key?.type === EVENT_ID.SCALAR) made.set(getScalarValue(this.#source, key), { key: at, value });
      at = this.#after(value);
    }
    return made;
  }

  #after(node: number): number {
    return this.#ends[node] ?? this.#events.length;
  }
}

function endsOf(events: readonly Event[]): Int32Array {
  const ends = new Int32Array(events.length);
  const open: number[] = [];
  for (const [index, { type }] of events.entries()) {
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) open.push(index);
    else if (type === EVENT_ID.POP)
      ends[open.pop() ?? 0] = index + 1; // 0: a document
    else ends[index] = index + 1;
  }
  return ends;
}

/** The offset at which the text of a value begins, including its quote or star. */
export function startOf(event: Event | undefined): number | undefined {
  if (event === undefined) return undefined;
  if (event.type === EVENT_ID.SCALAR) {
    return event.valueStart < 0 ? undefined : quoteBefore(event.valueStart, event.style); // -1: an empty value
  }
  if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) return event.start;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return undefined;
}

/** Quoted scalars: the event starts after the quote. Block scalars: it starts at the text. */
function quoteBefore(valueStart: number, style: number): number {
  return style === 2 || style === 3 ? valueStart - 1 : valueStart;
}

/** Empty if there is none. */
export function anchorIn(source: string, event: { readonly anchorStart: number; readonly anchorEnd: number }): string {
  return source.slice(event.anchorStart, event.anchorEnd); // (-1, -1)
}

function anchorOf(source: string, event: Event | undefined): string | undefined {
  return event !== undefined && 'anchorStart' in event ? anchorIn(source, event) : undefined;
}
