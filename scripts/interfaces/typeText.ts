import { isArray, isObject, type JsonObject, objectAt, own, stringAt } from '../../src/base/json/json.ts';
import { patterns } from '../../src/base/text/patterns.ts';
import { factsKeyword } from '../../src/schema/facts/define.ts';
import type { FieldFacts } from '../../src/schema/facts/fieldFacts.ts';

/** Text formats that TypeScript can check, by their pattern (`constructs/quantities.ts`). */
const formsByPattern: ReadonlyMap<string, string> = new Map([
  [patterns.retention.pattern, 'Retention'],
  [patterns.maxAge.pattern, 'MaxAge'],
  [patterns.timeToLive.pattern, 'TimeToLive'],
  [patterns.replicas.pattern, 'Replicas'],
]);

/** The TypeScript type of a value. `nameOf`: the name of the object type inside of it. */
export function typeText(node: JsonObject, nameOf: () => string): string {
  const facts: FieldFacts = objectAt(node, factsKeyword);
  const type = own(node, 'type');
  if (facts.quantity !== undefined) return facts.quantity === 'cpu' ? 'CpuQuantity' : 'MemoryQuantity';
  if (facts.link !== undefined) return linkText(facts.link, stringAt(node, 'pattern'));
  if (facts.uri !== undefined && stringAt(node, 'pattern') === patterns.volumeUri.pattern) {
    return `VolumeSource<${literals(facts.uri)}>`;
  }
  if (facts.uri?.includes('secret') === true && type === 'string') return 'EnvValue';
  const choices = own(node, 'enum') ?? own(objectAt(node, 'then'), 'enum');
  if (isArray(choices)) return type === 'string' ? literals(choices) : `${literals(choices)} | JsonObject`;
  if (isArray(type)) return type.join(' | ');
  switch (type) {
    case 'array':
      return listOf(typeText(objectAt(node, 'items'), nameOf));
    case 'object':
      return objectText(node, nameOf);
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return formsByPattern.get(stringAt(node, 'pattern') ?? '') ?? 'string';
    default:
      return 'JsonValue';
  }
}

export function literals(values: readonly unknown[]): string {
  return values.map((value) => `'${String(value)}'`).join(' | ');
}

function listOf(item: string): string {
  return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectText(node: JsonObject, nameOf: () => string): string {
  if (Object.hasOwn(node, 'properties')) return nameOf();
  const values = own(node, 'additionalProperties');
  return isObject(values) ? `{ readonly [key: string]: ${typeText(values, nameOf)} }` : 'JsonObject';
}

function linkText({ to, inOwnGvc, orName }: NonNullable<FieldFacts['link']>, pattern: string | undefined): string {
  if (orName === true) return `Linkable<${literals(to)}> | string`;
  const short = inOwnGvc === true ? ` | LinkInOwnGvc<${literals(to)}>` : '';
  const internal = pattern === patterns.firewallPeer.pattern ? ' | InternalUri' : '';
  return `Reference<${literals(to)}>${short}${internal}`;
}

/** Lines as a documentation comment. */
export function comment(lines: readonly string[], indent = ''): string {
  const [first = ''] = lines;
  if (lines.length === 1) return `${indent}/** ${first} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
