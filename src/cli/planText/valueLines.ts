import { isArray, isObject, type JsonArray, type JsonValue } from '../../base/json/json.ts';
import type { SensitiveValue } from '../../patch/show/fieldChanges.ts';
import type { FieldChange } from '../../plan/model/fieldChange.ts';
import { wholeValue } from '../../terminal/printable.ts';

/** A value that is shown over several lines, and compared line by line. */
export type ManyLines =
  /** A text of several lines. */
  | { readonly as: 'text'; readonly old: string; readonly new: string }
  /** Texts that are both JSON: what they say is compared, not how they are laid out. */
  | { readonly as: 'json'; readonly old: string; readonly new: string }
  /** Two lists of plain values: one item a line. */
  | { readonly as: 'list'; readonly old: string; readonly new: string };

/** Undefined: the change is told in one line. */
export function asManyLines({ old, new: next }: FieldChange): ManyLines | undefined {
  if (typeof old === 'string' && typeof next === 'string') {
    const [before, after] = [jsonLines(old), jsonLines(next)];
    if (before !== undefined && after !== undefined && before !== after) {
      return { as: 'json', old: before, new: after };
    }
    return old.includes('\n') || next.includes('\n') ? { as: 'text', old, new: next } : undefined;
  }
  const [before, after] = [plainItems(old), plainItems(next)];
  if (before === undefined || after === undefined) return undefined;
  return { as: 'list', old: linesOf(before), new: linesOf(after) };
}

/** The items of a list that holds no objects and no lists. */
export function plainItems(value: JsonValue | SensitiveValue | undefined): JsonArray | undefined {
  if (!isArray(value)) return undefined;
  return value.every((item) => !isObject(item) && !isArray(item)) ? value : undefined;
}

/** Whole, since items may differ at their end. They never hold a line end: it is written as an escape. */
function linesOf(items: JsonArray): string {
  return items.map((item) => `${wholeValue(item)}\n`).join('');
}

/** JSON text of an object or a list, laid out, its members in order. Long numbers would lose digits on the way. */
function jsonLines(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text) || /\d{16}/.test(text)) return undefined;
  try {
    return JSON.stringify(inOrder(JSON.parse(text)), undefined, 2);
  } catch {
    return undefined; // it only looks like JSON
  }
}

function inOrder(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key] ?? null)]),
  );
}
