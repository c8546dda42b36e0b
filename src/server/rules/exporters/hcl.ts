import { isArray, isObject, type JsonValue, own } from '../../../schema/json/json.ts';

/** The right side of `=`: JSON, or the name of a variable that the user must set. */
export type HclExpression = { readonly json: JsonValue } | { readonly encoded: JsonValue } | { readonly name: string };

/** A block: `type "label" { attributes, then blocks }`. */
export interface HclBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly attributes: readonly (readonly [name: string, value: HclExpression])[];
  readonly blocks: readonly HclBlock[];
}

/** One block as text, with a line end after it. Equal input gives equal text. */
export function renderBlock(block: HclBlock): string {
  return `${lines(block, 0).join('\n')}\n`;
}

function lines({ type, labels, attributes, blocks }: HclBlock, depth: number): readonly string[] {
  const indent = '  '.repeat(depth);
  const head = `${indent}${[type, ...labels.map(quoted)].join(' ')} {`;
  if (attributes.length === 0 && blocks.length === 0) return [`${head}}`];
  const width = Math.max(0, ...attributes.map(([name]) => name.length));
  const assignments = attributes.map(
    ([name, value]) => `${indent}  ${name.padEnd(width)} = ${expression(value, depth + 1)}`,
  );
  const inner = blocks.map((block) => lines(block, depth + 1));
  const parts = assignments.length === 0 ? inner : [assignments, ...inner];
  return [head, ...parts.flatMap((part, index) => (index === 0 ? part : ['', ...part])), `${indent}}`];
}

function expression(value: HclExpression, depth: number): string {
  if ('name' in value) return value.name;
  if ('encoded' in value) return `jsonencode(${literal(value.encoded, depth)})`;
  return literal(value.json, depth);
}

function literal(value: JsonValue, depth: number): string {
  if (typeof value === 'string') return quoted(value);
  if (!isArray(value) && !isObject(value)) return String(value);
  const indent = '  '.repeat(depth);
  if (isArray(value)) {
    if (value.length === 0) return '[]';
    if (!value.some((item) => isArray(item) || isObject(item))) {
      return `[${value.map((item) => literal(item, depth)).join(', ')}]`;
    }
    return `[\n${value.map((item) => `${indent}  ${literal(item, depth + 1)},\n`).join('')}${indent}]`;
  }
  const names = Object.keys(value);
  if (names.length === 0) return '{}';
  const members = names.map((name) => `${indent}  ${quoted(name)} = ${literal(own(value, name) ?? null, depth + 1)}\n`);
  return `{\n${members.join('')}${indent}}`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * A text as an HCL string literal without template evaluation. Control characters, line separators and surrogates are
 * escaped, so that each string is on one line.
 */
export function quoted(text: string): string {
  const escaped = text
    .replaceAll(
      /[\\"\p{Cc}\p{Cs}\u2028\u2029\ufeff]/gu,
      (letter) => escapes.get(letter) ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll(/[$%]\{/g, (opening) => `${opening.charAt(0)}${opening}`);
  return `"${escaped}"`;
}

/** A field name as an HCL name: `httpGet` is `http_get`, `FQDN` is `fqdn`, `IPs` is `ips`. */
export function hclName(field: string): string {
  const parted = field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z]{2,})/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '_');
  return /^[a-z_]/.test(parted) ? parted : `_${parted}`;
}

/** A name as the label of a block: characters other than letters, digits, `-` and `_` become `_`. */
export function hclLabel(name: string): string {
  const text = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return /^[A-Za-z_]/.test(text) ? text : `_${text}`;
}
