import { isObject, type JsonArray, type JsonValue } from '../../base/json/json.ts';
import { memberKey } from '../../kinds/normalForm/equal.ts';
import type { ListKey } from '../../schema/facts/fieldFacts.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { comparableKey, itemKey, namesItself } from '../../schema/shape/listKey.ts';
import type { ListShape, Shape } from '../../schema/shape/shape.ts';

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
    const { list } = shape.facts;
    if (list?.class === 'keyed') return keyIdentity(list.key);
    if (shape.item.type === 'scalar') return memberIdentity(shape, context);
    if (shape.item.type !== 'free') return undefined;
  }
  return items.every(isScalar) ? textIdentity : undefined;
}

function isScalar(item: JsonValue): boolean {
  return item === null || typeof item !== 'object';
}

/** In free-form JSON nothing is known of the items but their text. */
const textIdentity = identityByText((text) => text);

function memberIdentity(shape: ListShape, context: RecordContext): Identity {
  return identityByText((text) => memberKey(shape, text, context));
}

function identityByText(ofText: (text: string) => string): Identity {
  return {
    by: 'self',
    evidence: 'stated',
    ofItem: (item) => (isScalar(item) ? ofText(String(item)) : undefined),
    ofPatch: () => undefined,
    ofText,
    textOf: (item) => (isScalar(item) ? String(item) : undefined),
  };
}

export function keyIdentity(key: ListKey): Identity {
  const { parts, evidence } = key;
  const ofItem = (item: JsonValue) => (isObject(item) ? itemKey(key, item) : undefined);
  return {
    by: 'key',
    evidence,
    ofItem,
    ofPatch: (item) => (isObject(item) && namesItself(key, item) ? ofItem(item) : undefined),
    ofText: (text) => comparableKey(key, text),
    // As the item spells it: another platform may not know an item by its last segment, or in another case.
    textOf: (item) => (isObject(item) ? itemKey({ parts, evidence }, item) : undefined),
  };
}
