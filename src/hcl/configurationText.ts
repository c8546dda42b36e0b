import { isObject, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import {
  type Block,
  Encoded,
  type Expression,
  isListExpression,
  isObjectExpression,
  Reference,
  Template,
} from './expression.ts';
import { escaped, keyText, quoted, withoutTemplates } from './names.ts';

/** Longer lists of scalars have one item per line. */
const widest = 100;

/** Blocks as `.tf` text, laid out as `terraform fmt` does, with an empty line between them. */
export function nativeSyntax(blocks: readonly Block[]): string {
  return blocks.map((block) => `${blockLines(block, '').join('\n')}\n`).join('\n');
}

function blockLines(
  { type, labels = [], attributes = [], blocks = [], comment = [] }: Block,
  indent: string,
): string[] {
  const inside = `${indent}  `;
  const above = comment.map((line) => `${indent}# ${line}`);
  const head = `${indent}${[type, ...labels.map(quoted)].join(' ')} {`;
  if (attributes.length === 0 && blocks.length === 0) return [...above, `${head}}`];
  const assignments = assigned(
    attributes.map(([name, value]) => [name, text(value, inside)]),
    inside,
  );
  const inner = blocks.map((block) => blockLines(block, inside));
  const parts = assignments.length === 0 ? inner : [assignments, ...inner];
  return [...above, head, ...parts.flatMap((part, index) => (index === 0 ? part : ['', ...part])), `${indent}}`];
}

type Assignment = readonly [name: string, value: string];

/** Successive assignments on one line each have aligned `=`; a value of several lines ends the group. */
function assigned(assignments: readonly Assignment[], indent: string): string[] {
  const lines: string[] = [];
  let run: Assignment[] = [];
  const endRun = (): void => {
    const width = Math.max(0, ...run.map(([name]) => columns(name)));
    lines.push(...run.map(([name, value]) => `${indent}${name}${' '.repeat(width - columns(name))} = ${value}`));
    run = [];
  };
  for (const [name, value] of assignments) {
    if (!value.includes('\n')) {
      run.push([name, value]);
      continue;
    }
    endRun();
    lines.push(`${indent}${name} = ${value}`);
  }
  endRun();
  return lines;
}

/** The width in graphemes, as `terraform fmt` counts. */
function columns(name: string): number {
  return /^[ -~]*$/.test(name) ? name.length : [...new Intl.Segmenter().segment(name)].length;
}

function text(value: Expression, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Reference) return value.address;
  if (value instanceof Template) return `"${value.parts.map(partText).join('')}"`;
  if (value instanceof Encoded) return `jsonencode(${text(value.value, indent)})`;
  if (isListExpression(value)) return listText(value, indent);
  if (isObjectExpression(value)) return objectText(value, indent);
  return String(value);
}

function partText(part: string | Reference): string {
  return typeof part === 'string' ? escaped(part) : `\${${part.address}}`;
}

function listText(items: readonly Expression[], indent: string): string {
  const inside = `${indent}  `;
  const texts = items.map((item) => text(item, inside));
  const flat = `[${texts.join(', ')}]`;
  const isFlat = !flat.includes('\n') && indent.length + flat.length <= widest && !items.some(isNested);
  return isFlat || items.length === 0 ? flat : `[\n${texts.map((each) => `${inside}${each},\n`).join('')}${indent}]`;
}

function isNested(item: Expression): boolean {
  return isListExpression(item) || isObjectExpression(item);
}

function objectText(value: { readonly [name: string]: Expression }, indent: string): string {
  const inside = `${indent}  `;
  const members = Object.entries(value).map(([key, member]): Assignment => [keyText(key), text(member, inside)]);
  return members.length === 0 ? '{}' : ['{', ...assigned(members, inside), `${indent}}`].join('\n');
}

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

/** Every text is a template in the JSON syntax. */
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

/** The content of one file. */
export function configurationText(blocks: readonly Block[], format: 'hcl' | 'json'): string {
  return format === 'json' ? `${JSON.stringify(jsonSyntax(blocks), null, 2)}\n` : nativeSyntax(blocks);
}
