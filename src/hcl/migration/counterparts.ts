import { compact, present } from '../../base/json/present.ts';
import { type Attribute, type Attributes, isBlock } from '../attribute.ts';
import { attributeName } from '../schema/names.ts';
import { writeOnly } from '../schema/ownAttributes.ts';
import { providerSchema } from '../schema/providerSchema.ts';
import { attributeAt, type Names, type Rule } from './names.ts';

/** A type of the other provider, and its equivalent in this one. */
export interface Counterpart {
  readonly type: string;
  readonly attributes: Attributes;
  /** By the path in the other provider. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** Texts that each of our resources must contain. */
  readonly with?: ReadonlyMap<string, string>;
}

/** The target of an attribute of the other provider. */
export interface Destination {
  readonly path: readonly string[];
  readonly attribute: Attribute;
  readonly rule: Rule | undefined;
}

/** The counterparts of a configuration; undefined if there is none. */
export type Counterparts = (type: string, is: 'resource' | 'data') => Counterpart | undefined;

export function counterpartsOf(names: Names): Counterparts {
  const schema = providerSchema();
  return (type, is) => {
    if (!type.startsWith(`${names.prefix}_`)) return undefined;
    const ours = is === 'resource' ? schema.resources : schema.dataSources;
    const resourceNames = names.resources.get(type);
    const found = resourceNames?.type ?? sameName(type.slice(names.prefix.length + 1), Object.keys(ours));
    const attributes = found === undefined ? undefined : ours[found]?.attributes;
    if (found === undefined || attributes === undefined) return undefined;
    const common = [...names.attributes].filter(
      ([, { to }]) => to === undefined || attributeAt(attributes, to) !== undefined,
    );
    const rules = new Map([...common, ...(resourceNames?.attributes ?? [])]);
    return { type: found, attributes, rules, ...present({ with: resourceNames?.with }) };
  };
}

/** `volume_set` matches `gantry_volumeset`. */
function sameName(name: string, types: readonly string[]): string | undefined {
  return types.find((type) => withoutUnderscores(type.slice(type.indexOf('_') + 1)) === withoutUnderscores(name));
}

/** Makes `ipset` and `ip_set` equal. */
function withoutUnderscores(text: string): string {
  return text.replaceAll('_', '');
}

/**
 * The target of the attribute at a path: according to the table; otherwise the same name in another spelling, at the
 * same place, or in a block that the other provider does not have. `null` if the table says that there is no
 * equivalent.
 */
export function destinationOf(counterpart: Counterpart, path: readonly string[]): Destination | null | undefined {
  const { attributes, rules } = counterpart;
  const rule = rules.get(path.join('.'));
  if (rule !== undefined) {
    const attribute = rule.to === undefined ? undefined : attributeAt(attributes, rule.to);
    return rule.to === undefined || attribute === undefined ? null : { path: rule.to, attribute, rule };
  }
  const parent =
    path.length === 1 ? { path: [], attribute: { attributes } } : destinationOf(counterpart, path.slice(0, -1));
  if (parent === null || parent === undefined || !('attributes' in parent.attribute)) return undefined;
  const parentAttributes = parent.attribute.attributes;
  const [inside, ...others] = placesOf(parentAttributes, spellingsOf(path.at(-1) ?? ''));
  const attribute = inside === undefined ? undefined : attributeAt(parentAttributes, inside);
  if (inside === undefined || attribute === undefined || others.length > 0) return undefined;
  return { path: [...parent.path, ...inside], attribute, rule: undefined };
}

function spellingsOf(name: string): readonly string[] {
  const snake = attributeName(name);
  const other = snake.endsWith('ies')
    ? `${snake.slice(0, -3)}y`
    : snake.endsWith('s')
      ? snake.slice(0, -1)
      : snake.endsWith('y')
        ? `${snake.slice(0, -1)}ies`
        : `${snake}s`;
  return [name, snake, other];
}

/** The maximum depth of an attribute in blocks that the other provider does not have. */
const maxDepth = 2;

/**
 * The attribute itself, or otherwise all with its name in objects that exist once, the nearest ones: first in written
 * attributes (a data source also has them), then in those that the platform sets.
 */
function placesOf(attributes: Attributes, spellings: readonly string[]): readonly (readonly string[])[] {
  const written = placesIn(
    attributes,
    spellings,
    (name, each) => name !== writeOnly.data && (isBlock(each) || name === 'spec'),
  );
  return written.length > 0 ? written : placesIn(attributes, spellings, (name) => name !== writeOnly.data);
}

function placesIn(
  attributes: Attributes,
  spellings: readonly string[],
  isSearched: (name: string, attribute: Attribute) => boolean,
): readonly (readonly string[])[] {
  let level: readonly { readonly path: readonly string[]; readonly attributes: Attributes }[] = [
    { path: [], attributes },
  ];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const found = compact(level, ({ path, attributes: inside }) => {
      const name = namedIn(inside, spellings);
      return name === undefined ? undefined : [...path, name];
    });
    if (found.length > 0) return found;
    level = level.flatMap(({ path, attributes: inside }) =>
      Object.entries(inside).flatMap(([name, each]) =>
        'attributes' in each && each.nesting === 'single' && isSearched(name, each)
          ? [{ path: [...path, name], attributes: each.attributes }]
          : [],
      ),
    );
  }
  return [];
}

function namedIn(attributes: Attributes, spellings: readonly string[]): string | undefined {
  const [asIs = ''] = spellings;
  return (
    spellings.find((each) => Object.hasOwn(attributes, each)) ??
    Object.keys(attributes).find((each) => withoutUnderscores(each) === withoutUnderscores(asIs))
  );
}
