import { isObject, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import type { Block } from './block.ts';
import { Encoded, type Expression, isListExpression, isObjectExpression, Reference, Template } from './expression.ts';
import { withoutTemplates } from './names.ts';

/** Blocks whose arguments are addresses, not values: they are written without `${}`. */
const addresses: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['import', new Set(['to'])],
  ['moved', new Set(['from', 'to'])],
  ['resource', new Set(['depends_on', 'provider'])],
  ['lifecycle', new Set(['ignore_changes'])],
]);

/** Blocks as the content of a `.tf.json` file: by type, then by label; blocks without labels that repeat are a list. */
export function jsonSyntax(blocks: readonly Block[]): JsonObject {
  const root: Record<string, JsonValue> = {};
  for (const block of blocks) addBlock(root, block);
  return root;
}

function addBlock(parent: Record<string, JsonValue>, block: Block): void {
  const path = [block.type, ...(block.labels ?? [])];
  const body = bodyOf(block);
  let at = parent;
  for (const name of path.slice(0, -1)) {
    const inside = own(at, name);
    const next: Record<string, JsonValue> = isObject(inside) ? { ...inside } : {};
    put(at, name, next);
    at = next;
  }
  const last = path.at(-1) ?? '';
  const there = own(at, last);
  if (there === undefined) put(at, last, body);
  else put(at, last, Array.isArray(there) ? [...there, body] : [there, body]);
}

function bodyOf({ type, attributes = [], blocks = [], comment = [] }: Block): JsonObject {
  const body: Record<string, JsonValue> = comment.length === 0 ? {} : { '//': comment.join('\n') };
  for (const [name, value] of attributes) {
    put(body, name, addresses.get(type)?.has(name) === true ? addressJson(value) : json(value));
  }
  for (const block of blocks) addBlock(body, block);
  return body;
}

function addressJson(value: Expression): JsonValue {
  if (isListExpression(value)) return value.map(addressJson);
  return value instanceof Reference ? value.address : json(value);
}

/** Every text is a template there. */
function json(value: Expression): JsonValue {
  if (typeof value === 'string') return withoutTemplates(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Reference) return `\${${value.address}}`;
  if (value instanceof Template) return value.parts.map(partJson).join('');
  if (value instanceof Encoded) return withoutTemplates(JSON.stringify(value.value));
  if (isListExpression(value)) return value.map(json);
  if (!isObjectExpression(value)) return value;
  const object: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) put(object, withoutTemplates(key), json(member));
  return object;
}

function partJson(part: string | Reference): string {
  return typeof part === 'string' ? withoutTemplates(part) : `\${${part.address}}`;
}
