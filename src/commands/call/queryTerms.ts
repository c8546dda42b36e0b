import { type JsonObject, stringAt } from '../../base/json/json.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LinkFact } from '../../schema/facts/fieldFacts.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { linkOf } from '../../schema/record/ref.ts';
import { fieldShape, type Shape } from '../../schema/shape/shape.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api } from './api.ts';
import type { Call, Given } from './command.ts';
import { refOf } from './refs.ts';
import { queryValue } from './tags.ts';

/**
 * The terms of a query's options about records of a kind. Links are resolved as everywhere: a field is compared with
 * the full link, a relation with the name of its record (platform/query.terms). Errors: `cli.usage`.
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

/** The kinds of the records behind a relation: the GVC, or those that the field `…Link` accepts. */
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

type Selector = 'property' | 'tag' | 'rel';

/** Longer operators first, so that `a<=5` is not read as `a<` and `=`. */
const operators = ['>=', '<=', '!=', '=~', '=', '>', '<', '~'] as const;

/**
 * `k=v` and the like; `k` means that it exists, `k!` that it does not, `~text` searches everything. The leftmost
 * operator counts (platform/clients.grammar). Errors: `cli.usage`.
 */
export function termOf(selector: Selector, text: string): JsonObject {
  const found = operators
    .map((op) => ({ op, at: text.indexOf(op) }))
    .filter(({ at }) => at >= 0)
    .reduce<{ op: string; at: number } | undefined>(
      (best, each) => (best && best.at <= each.at ? best : each),
      undefined,
    );
  if (found === undefined) {
    const isAbsent = text.endsWith('!');
    return { op: isAbsent ? '!exists' : 'exists', [selector]: keyOf(isAbsent ? text.slice(0, -1) : text) };
  }
  const key = text.slice(0, found.at);
  const value = queryValue(text.slice(found.at + found.op.length));
  const isAnywhere = key === '' && found.op === '~' && selector === 'property';
  return { op: found.op, [selector]: isAnywhere ? '*' : keyOf(key), value };

  function keyOf(name: string): string {
    if (name.trim() !== '') return name;
    throw new UsageError(
      `--${selector} ${JSON.stringify(text)} names no ${selector}`,
      `Write --${selector} NAME=VALUE, or NAME alone for those that have it.`,
    );
  }
}

/** The terms of `--property`, `--tag` and `--rel`; with `prefix` those of `--query-property` and so on. */
function termsOf(given: Given, prefix: string): readonly JsonObject[] {
  const selectors = ['property', 'tag', 'rel'] as const;
  return selectors.flatMap((selector) => {
    const name = prefix === '' ? selector : `${prefix}${selector[0]?.toUpperCase()}${selector.slice(1)}`;
    return given.list(name).map((text) => termOf(selector, text));
  });
}
