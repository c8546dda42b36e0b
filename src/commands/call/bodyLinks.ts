import { isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { readRef } from '../../kinds/readRef.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { LinkFact } from '../../schema/facts/fieldFacts.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { fieldShape, type Shape } from '../../schema/shape/shape.ts';
import { UsageError } from '../../terminal/line/usageError.ts';

/**
 * Refuses a link to another org, or to a kind or GVC that its field does not take, in a record or in a patch of one.
 * Whatever else may be wrong is for the platform to say. `context`: of the record. Errors: `cli.usage`.
 */
export function checkBodyLinks(kind: Kind, body: JsonObject, { org, gvc }: RecordContext): void {
  for (const { path, text, fact } of linksIn(shapeOf(kind, body), body, '')) {
    const [first, ...others] = fact.to;
    if (first === undefined || !text.startsWith('/')) continue;
    const read = readRef(text, { kinds: [first, ...others], org, gvc, inAnyGvc: fact.inOwnGvc !== true });
    if ('ref' in read || read.wrong.why === 'form' || read.wrong.why === 'no-gvc') continue;
    throw new UsageError(`${path}: ${read.wrong.message}`, 'Link to a record that this field takes, in the same org.');
  }
}

interface FoundLink {
  readonly path: string;
  readonly text: string;
  readonly fact: LinkFact;
}

function linksIn(shape: Shape, value: JsonValue, path: string): readonly FoundLink[] {
  if (shape.type === 'scalar') {
    const fact = shape.facts.link;
    return fact === undefined || typeof value !== 'string' ? [] : [{ path, text: value, fact }];
  }
  if (isArray(value)) {
    return shape.type === 'list' ? value.flatMap((item, at) => linksIn(shape.item, item, `${path}[${at}]`)) : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const below = path === '' ? key : `${path}.${key}`;
    if (shape.type === 'map') return linksIn(shape.value, member, below);
    // A directive, such as `$append/memberLinks`, is about the field behind the slash.
    const name = key.startsWith('$') ? key.slice(key.indexOf('/') + 1) : key;
    const field = shape.type === 'object' ? fieldShape(shape, name) : undefined;
    return field === undefined ? [] : linksIn(field, member, below);
  });
}
