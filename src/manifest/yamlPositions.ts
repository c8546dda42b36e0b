import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';

type Pointer = readonly (string | number)[];

/** The event at which each document begins, in order. */
export function documentStarts(events: readonly Event[]): readonly number[] {
  return events.flatMap((event, index) => (event.type === EVENT_ID.DOCUMENT ? [index] : []));
}

/**
 * The offset of the value at `pointer` in the document whose event is at `start`; for a field, the offset of its key.
 * The closest enclosing value if there is none (a field that is missing, or that came from a merge key).
 */
export function offsetOf(source: string, events: readonly Event[], start: number, pointer: Pointer): number {
  let node = start + 1;
  let offset = startOf(events[node]) ?? 0;
  for (const segment of pointer) {
    node = target(source, events, node);
    const found = child(source, events, node, segment);
    if (found === undefined) break;
    offset = startOf(events[found.key]) ?? startOf(events[found.value]) ?? offset;
    node = found.value;
  }
  return offset;
}

/** Where the text of a value begins, its quote or star included. */
export function startOf(event: Event | undefined): number | undefined {
  if (event === undefined) return undefined;
  if (event.type === EVENT_ID.SCALAR) {
    return event.valueStart < 0 ? undefined : quoteBefore(event.valueStart, event.style); // -1: nothing is written
  }
  if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) return event.start;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return undefined;
}

/** Quoted scalars: the event starts after the quote. Block scalars: it starts at the text. */
function quoteBefore(valueStart: number, style: number): number {
  return style === 2 || style === 3 ? valueStart - 1 : valueStart;
}

function anchorOf(source: string, event: Event | undefined): string | undefined {
  if (event === undefined || !('anchorStart' in event) || event.anchorStart < 0) return undefined;
  return source.slice(event.anchorStart, event.anchorEnd);
}

/** An alias stands for the last value before it that carries its anchor. */
function target(source: string, events: readonly Event[], node: number): number {
  const event = events[node];
  if (event?.type !== EVENT_ID.ALIAS) return node;
  const name = anchorOf(source, event);
  for (let index = node - 1; index >= 0; index -= 1) {
    if (events[index]?.type !== EVENT_ID.ALIAS && anchorOf(source, events[index]) === name) return index;
  }
  return node;
}

/** The first event after the value at `node`. */
function after(events: readonly Event[], node: number): number {
  let depth = 0;
  for (let index = node; index < events.length; index += 1) {
    const type = events[index]?.type;
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth += 1;
    else if (type === EVENT_ID.POP) depth -= 1;
    if (depth <= 0) return index + 1;
  }
  return events.length;
}

function child(
  source: string,
  events: readonly Event[],
  node: number,
  segment: string | number,
): { readonly key: number; readonly value: number } | undefined {
  const type = events[node]?.type;
  let at = node + 1;
  if (type === EVENT_ID.SEQUENCE) {
    for (let position = 0; at < events.length && events[at]?.type !== EVENT_ID.POP; position += 1) {
      if (position === Number(segment)) return { key: at, value: at };
      at = after(events, at);
    }
  }
  if (type === EVENT_ID.MAPPING) {
    while (at < events.length && events[at]?.type !== EVENT_ID.POP) {
      const key = events[at];
      const value = after(events, at);
      if (key?.type === EVENT_ID.SCALAR && getScalarValue(source, key) === String(segment)) return { key: at, value };
      at = after(events, value);
    }
  }
  return undefined;
}
