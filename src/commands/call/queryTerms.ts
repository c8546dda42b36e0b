import { type JsonObject, stringAt } from '../../base/json/json.ts';
import type { LinkFact } from '../../schema/facts/fieldFacts.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { linkOf } from '../../schema/record/links.ts';
import { fieldShape, type Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import type { Api } from './api.ts';
import type { Call } from './command.ts';
import { refOf } from './refs.ts';
import { termsOf } from './terms.ts';

/**
 * The terms of the options of a query about records of a kind. A link in one is read as everywhere: a field is compared
 * with the full link, a relation with the name of its record (platform/query.terms). Errors: `cli.usage`.
 */
export function queryTerms({ given }: Call, api: Api, kind: Kind, prefix = ''): readonly JsonObject[] {
  const terms = termsOf(given, prefix);
  const [match, flag] = prefix === '' ? ['match', '--match'] : [`${prefix}Match`, `--${prefix}-match`];
  if (terms.length === 0 && given.isWritten(match)) {
    throw new UsageError(
      `${flag} has no effect without a term`,
      `Add ${flag.replace('match', 'property')}, ${flag.replace('match', 'tag')} or ${flag.replace('match', 'rel')}.`,
    );
  }
  return terms.map((term) => {
    const value = stringAt(term, 'value');
    const op = stringAt(term, 'op');
    if (value === undefined || !value.startsWith('/') || (op !== '=' && op !== '!=')) return term;
    const [rel, property] = [stringAt(term, 'rel'), stringAt(term, 'property')];
    const dash = prefix === '' ? '' : `${prefix}-`;
    if (rel !== undefined) {
      const kinds = kindsBehind(kind, rel);
      const option = `--${dash}rel`;
      if (kinds === undefined)
        throw new UsageError(`${option}: ${rel} is compared with a name, not with a link`, 'Give the name.');
      return { ...term, value: refOf(api, value, { kinds, inAnyGvc: true, option }).name };
    }
    const kinds = property === undefined ? undefined : kindsIn(fieldAt(shapeOf(kind), property.split('.')));
    if (kinds === undefined) return term;
    const ref = refOf(api, value, { kinds, inAnyGvc: true, option: `--${dash}property` });
    return { ...term, value: linkOf(ref, api.org) };
  });
}

/** The kinds of the records behind a relation: the GVC, or those that the field `…Link` takes. */
function kindsBehind(kind: Kind, rel: string): readonly [Kind, ...Kind[]] | undefined {
  if (rel === 'gvc') return ['gvc'];
  const shape = shapeOf(kind);
  return kindsIn(fieldAt(shape, [`${rel}Link`])) ?? kindsIn(fieldAt(shape, ['spec', `${rel}Link`]));
}

function kindsIn(shape: Shape | undefined): readonly [Kind, ...Kind[]] | undefined {
  const fact: LinkFact | undefined = shape?.facts.link;
  const [first, ...others] = fact?.to ?? [];
  return first === undefined ? undefined : [first, ...others];
}

function fieldAt(shape: Shape, [name, ...below]: readonly string[]): Shape | undefined {
  if (name === undefined) return shape;
  switch (shape.type) {
    case 'object': {
      const field = fieldShape(shape, name);
      return field === undefined ? undefined : fieldAt(field, below);
    }
    case 'map':
      return fieldAt(shape.value, below);
    case 'list':
      return fieldAt(shape.item, below);
    default:
      return undefined;
  }
}
