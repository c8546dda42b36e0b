import type { ListKey } from '../../schema/facts/fieldFacts.ts';
import { isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../../schema/json/json.ts';
import { canonicalText } from '../../schema/normalForm/canonical.ts';
import { memberKey } from '../../schema/normalForm/equal.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { lastSegment } from '../../schema/record/links.ts';
import { comparableKey, itemKey, namesItself } from '../../schema/shape/listKey.ts';
import type { ListShape, Shape } from '../../schema/shape/shape.ts';
import { memberShape } from './shapeInside.ts';

/** How directives name the items of one list (platform/patch.list-keys). */
export interface Identity {
  /** `self`: each scalar is its own key, and more than one may be equal. */
  readonly by: 'key' | 'self';
  readonly evidence: ListKey['evidence'];
  /** Undefined: this item cannot be named. */
  readonly ofItem: (item: JsonValue) => string | undefined;
  /** The same for an item of `$patch/...`, which must say itself which one it means. */
  readonly ofPatch: (item: JsonValue) => string | undefined;
  /** What a string of `$drop/...` or `$retain/...` means; comparable with `ofItem`. */
  readonly ofText: (text: string) => string;
  /** The text that names this item in `$drop/...` and `$retain/...`. */
  readonly textOf: (item: JsonValue) => string | undefined;
}

/** Undefined: the items of the list have no key, so no directive but `$append` can be used. */
export function identityOf(shape: Shape, items: JsonArray, context: RecordContext): Identity | undefined {
  if (shape.type === 'list') {
    const list = shape.facts.list;
    if (list?.class === 'keyed') return byKey(shape, list.key, context);
    if (shape.item.type === 'scalar') return bySelf(shape, context);
    if (shape.item.type !== 'free') return undefined;
  }
  return items.every(isScalar) ? plainSelf : undefined;
}

function isScalar(item: JsonValue): boolean {
  return item === null || typeof item !== 'object';
}

/** In free-form JSON nothing is known of the items but their text. */
const plainSelf: Identity = {
  by: 'self',
  evidence: 'stated',
  ofItem: (item) => (isScalar(item) ? String(item) : undefined),
  ofPatch: () => undefined,
  ofText: (text) => text,
  textOf: (item) => (isScalar(item) ? String(item) : undefined),
};

function bySelf(shape: ListShape, context: RecordContext): Identity {
  const ofText = (text: string): string => {
    const key = memberKey(shape, text, context);
    return shape.item.facts.link?.orName === true ? lastSegment(key) : key;
  };
  return {
    by: 'self',
    evidence: 'stated',
    ofItem: (item) => (isScalar(item) ? ofText(String(item)) : undefined),
    ofPatch: () => undefined,
    ofText,
    textOf: plainSelf.textOf,
  };
}

function byKey(shape: ListShape, key: ListKey, context: RecordContext): Identity {
  const fields = key.parts.flatMap((part) => part.fields);
  const facts = new Map(fields.map((field) => [field, memberShape(shape.item, field).facts]));
  const rewritten = fields.filter(
    (field) => facts.get(field)?.link !== undefined || facts.get(field)?.canonical !== undefined,
  );
  const [only] = fields.length === 1 ? rewritten : [];
  const spelled: ListKey = { parts: key.parts, evidence: key.evidence };

  const canonicalItem = (item: JsonObject): JsonObject => {
    if (rewritten.length === 0) return item;
    const copy: Record<string, JsonValue> = {};
    for (const field of fields) {
      const value = own(item, field);
      if (value !== undefined)
        put(copy, field, typeof value === 'string' ? canonicalText(value, facts.get(field) ?? {}, context) : value);
    }
    return copy;
  };
  const ofItem = (item: JsonValue) => (isObject(item) ? itemKey(key, canonicalItem(item)) : undefined);
  return {
    by: 'key',
    evidence: key.evidence,
    ofItem,
    ofPatch: (item) => (isObject(item) && namesItself(key, item) ? ofItem(item) : undefined),
    ofText: (text) => {
      const canonical = only === undefined ? text : canonicalText(text, facts.get(only) ?? {}, context);
      return comparableKey(key, canonical);
    },
    // As the item spells it: another platform may not know an item by its last segment, or in another case.
    textOf: (item) => (isObject(item) ? itemKey(spelled, item) : undefined),
  };
}
