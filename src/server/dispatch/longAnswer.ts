import { setImmediate as nextTurn } from 'node:timers/promises';
import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import type { Dialect } from '../../dialect/dialect.ts';

const longText = 128 * 1024;
const itemsAtOnce = 20;

/**
 * The body of an answer in the installation's own names. A long list is translated in slices, so that it does not block
 * other requests.
 */
export async function answerOnTheWire(dialect: Dialect, path: string, status: number, text: string): Promise<string> {
  if (text.length < longText) return dialect.answerText(path, status, text, 'toWire');
  if (!dialect.concerns(text)) return text;
  await nextTurn();
  const body: JsonValue = JSON.parse(text);
  const items = isObject(body) ? own(body, 'items') : undefined;
  if (!isObject(body) || !isArray(items)) return dialect.answerText(path, status, text, 'toWire');
  const shown: string[] = [];
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    await nextTurn();
    const some = { ...body, items: items.slice(at, at + itemsAtOnce) };
    for (const item of itemsOf(dialect.answer(path, status, some, 'toWire'))) shown.push(JSON.stringify(item));
  }
  await nextTurn();
  return around(dialect.answer(path, status, { ...body, items: [] }, 'toWire'), shown);
}

function itemsOf(body: JsonValue): JsonArray {
  const items = isObject(body) ? own(body, 'items') : undefined;
  if (!isArray(items)) throw new Error('a list without items');
  return items;
}

/** Inserts the items into a list that has none. */
function around(list: JsonValue, items: readonly string[]): string {
  if (!isObject(list)) throw new Error('a list that is not an object');
  const { before, after } = partsOf(list);
  return `${before}[${items.join(',')}]${after}`;
}

function partsOf(list: JsonObject): { readonly before: string; readonly after: string } {
  const members = Object.keys(list).map((name) => `${JSON.stringify(name)}:${JSON.stringify(own(list, name))}`);
  const at = Object.keys(list).indexOf('items');
  return {
    before: `{${members
      .slice(0, at)
      .map((member) => `${member},`)
      .join('')}"items":`,
    after: `${members
      .slice(at + 1)
      .map((member) => `,${member}`)
      .join('')}}`,
  };
}
