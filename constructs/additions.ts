import { isObject, type JsonValue } from '../src/base/json/json.ts';
import type { Pointer } from '../src/base/json/pointer.ts';
import { ToolError } from '../src/base/toolError.ts';
import type { Position } from '../src/manifest/model/manifest.ts';
import type { ListKey } from '../src/schema/facts/fieldFacts.ts';
import { formatRef } from '../src/schema/record/ref.ts';
import { identifyingKey, itemKey } from '../src/schema/shape/listKey.ts';
import { formatPath, shapeAt } from '../src/schema/shape/paths.ts';
import { refOfLink } from './linkable.ts';
import { shapeOfManifest } from './marks.ts';
import { resolve } from './resolve.ts';

/** An outer list item that contains another list. */
interface Around {
  /** Its key; `undefined` for the first item. */
  readonly at: string | number | undefined;
  /** The item to create if none has that key. If absent, that is a mistake. */
  readonly made?: object;
}

/** The place of a list: names of fields, and the items that contain it. */
export type ListPlace = readonly (string | Around)[];

/** An item that was added to a list after the resource was created. */
export interface Addition {
  readonly place: ListPlace;
  readonly item: unknown;
  /** The position of the call in user code. */
  readonly origin: { position(): Position };
}

/** `spec`, or the kind's own top-level fields. */
interface Content {
  readonly [field: string]: unknown;
}

/** The content with one more item, and the item's place. A value that is not a list is kept; validation reports it. */
export function withItem(
  kind: string,
  content: Content,
  { place, item }: Omit<Addition, 'origin'>,
): { readonly content: Content; readonly pointer: Pointer } {
  const pointer = pointerOf(kind, content, place);
  const last = listIn(valueAt(content, pointer)).length;
  const at = [...pointer, last];
  return { content: Object(put(content, at, item, madeIn(place))), pointer: at };
}

/** Why it cannot be added: an item with the same key exists, or the place to add it to does not. */
export function mistakeIn(
  { kind, name }: { readonly kind: string; readonly name: string },
  content: Content,
  { place, item }: Omit<Addition, 'origin'>,
  positionOf: (pointer: Pointer) => Position,
): ToolError | undefined {
  const missing = missingAround(kind, content, place);
  if (missing !== undefined) {
    const { list, wanted, known } = missing;
    return new ToolError({
      code: 'stack.item',
      message: `the ${kind} "${name}" has no ${JSON.stringify(wanted)} in ${list}`,
      hint: `There: ${known.join(', ') || 'nothing'}. What is not there yet is added first.`,
    });
  }
  const pointer = pointerOf(kind, content, place);
  const key = keyOf(kind, pointer, item);
  const same = listIn(valueAt(content, pointer)).findIndex((each) => keyOf(kind, pointer, each) === key);
  if (same < 0 || key === undefined) return undefined;
  const { file, line } = positionOf([...pointer, same]);
  const manifest = resolve([{ kind, ...content }]).manifest;
  const path = formatPath(shapeOfManifest(manifest), manifest, pointer);
  return new ToolError({
    code: 'stack.duplicate',
    message: `the ${kind} "${name}" has ${shownKey(kind, pointer, item)} in ${path} already (${file}:${line})`,
    hint: 'Remove one of the two. addOverride replaces a value that is there.',
  });
}

/** The place of a list, with positions instead of keys; an item that must be created comes after the last one. */
function pointerOf(kind: string, content: Content, place: ListPlace): Pointer {
  const pointer: (string | number)[] = [];
  for (const step of place) {
    if (typeof step === 'string') pointer.push(step);
    else pointer.push(positionIn(kind, content, pointer, step));
  }
  return pointer;
}

function positionIn(kind: string, content: Content, list: Pointer, { at }: Around): number {
  const items = listIn(valueAt(content, list));
  const found = at === undefined ? 0 : items.findIndex((item) => keyOf(kind, list, item) === String(at));
  return found < 0 ? items.length : found;
}

function missingAround(kind: string, content: Content, place: ListPlace) {
  for (const [index, step] of place.entries()) {
    if (typeof step === 'string' || step.made !== undefined) continue;
    const list = pointerOf(kind, content, place.slice(0, index));
    const items = listIn(valueAt(content, list));
    if (positionIn(kind, content, list, step) < items.length) continue;
    const known = items.map((item) => shownKey(kind, list, item));
    return { list: list.join('.'), wanted: step.at ?? 0, known };
  }
  return undefined;
}

function madeIn(place: ListPlace): object {
  return place.reduce<object>((made, step) => (typeof step === 'string' ? made : (step.made ?? made)), {});
}

/** The identity of an item of a list: the key in the schema, the target of a link, or the whole item. */
function keyOf(kind: string, list: Pointer, item: unknown): string | undefined {
  const plain = plainOf(item);
  const key = keyIn(kind, list);
  if (key !== undefined) return isObject(plain) ? identifyingKey(key, plain) : undefined;
  const ref = typeof plain === 'string' ? refOfLink(plain) : undefined;
  return ref === undefined ? JSON.stringify(plain) : formatRef(ref);
}

function shownKey(kind: string, list: Pointer, item: unknown): string {
  const plain = plainOf(item);
  const key = keyIn(kind, list);
  if (typeof plain === 'string') return JSON.stringify(plain);
  return (key === undefined || !isObject(plain) ? undefined : JSON.stringify(itemKey(key, plain))) ?? 'this';
}

function plainOf(item: unknown): JsonValue | undefined {
  return resolve([{ item }]).manifest['item'];
}

function keyIn(kind: string, list: Pointer): ListKey | undefined {
  const facts = shapeAt(shapeOfManifest({ kind }), list)?.facts.list;
  return facts?.class === 'keyed' ? facts.key : undefined;
}

/** Without omitted items, so that positions are those of the manifest. */
function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter((item) => item !== undefined) : [];
}

function valueAt(value: unknown, pointer: Pointer): unknown {
  return pointer.reduce<unknown>((inner, step) => {
    if (typeof step === 'number') return listIn(inner)[step];
    return typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined;
  }, value);
}

/** Copies the objects and lists along the path. */
function put(value: unknown, [step, ...rest]: Pointer, item: unknown, made: object): unknown {
  if (step === undefined) return item;
  if (typeof step === 'string') {
    const inner = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
    return { ...Object(value), [step]: put(inner, rest, item, made) };
  }
  if (value !== undefined && !Array.isArray(value)) return value;
  const items = listIn(value);
  const inner = rest.length === 0 ? undefined : (items[step] ?? made);
  return [...items.slice(0, step), put(inner, rest, item, made), ...items.slice(step + 1)];
}
