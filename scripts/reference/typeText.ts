import { isObject, type JsonObject } from '../../src/base/json/json.ts';
import type { FieldFacts } from '../../src/schema/facts/fieldFacts.ts';
import { code } from './markdown.ts';

/** What a field may hold, in words: `integer, 1 to 100`, `link to secret`, `list of text`. */
export function typeText(node: JsonObject, facts: FieldFacts): string {
  const { type } = node;
  if (facts.responseOnly === true) return '';
  if (Array.isArray(node['enum'])) {
    const named = (value: string): string =>
      `${code(value)}${facts.extensions?.includes(value) ? ' (an extension)' : ''}`;
    return node['enum'].map((value) => named(String(value))).join(', ');
  }
  if (facts.link !== undefined) return `link to ${facts.link.to.join(' or ')}`;
  if (facts.quantity !== undefined) return `${facts.quantity} quantity`;
  if (type === 'array') return listText(node);
  if (type === 'object') return isObject(node['additionalProperties']) ? 'map' : 'object';
  if (type === 'integer' || type === 'number') return `${type}${bounds(node)}`;
  if (type === 'string') return `text${lengths(node)}`;
  if (type === 'boolean') return 'boolean';
  return Array.isArray(type) ? type.join(', ').replace('string', 'text') : 'any JSON';
}

function listText(node: JsonObject): string {
  const item = isObject(node['items']) ? node['items'] : {};
  const facts = isObject(item['x-gantry']) ? item['x-gantry'] : {};
  const most = node['maxItems'] === undefined ? '' : `, at most ${String(node['maxItems'])}`;
  return `list of ${typeText(item, facts).replace(/^object$/, 'objects')}${most}`;
}

function bounds({ minimum, maximum }: JsonObject): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${String(minimum)} to ${String(maximum)}`;
  if (minimum !== undefined) return `, at least ${String(minimum)}`;
  return maximum === undefined ? '' : `, at most ${String(maximum)}`;
}

function lengths({ maxLength }: JsonObject): string {
  return maxLength === undefined ? '' : `, up to ${String(maxLength)} characters`;
}
