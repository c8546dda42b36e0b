import { present } from '../../base/json/present.ts';
import { type Attribute, type Attributes, isBlock } from '../attribute.ts';
import { attributeName } from '../schema/names.ts';
import { writeOnly } from '../schema/ownAttributes.ts';
import { providerSchema } from '../schema/providerSchema.ts';
import { attributeAt, type Names, type Rule } from './names.ts';

/** A type of the other provider, and what this one has in its place. */
export interface Counterpart {
  readonly type: string;
  readonly attributes: Attributes;
  /** By the path of the other provider. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** Texts that each of ours has to say. */
  readonly with?: ReadonlyMap<string, string>;
}

/** Where an attribute of the other provider goes. */
export interface Destination {
  readonly path: readonly string[];
  readonly attribute: Attribute;
  readonly rule: Rule | undefined;
}

/** The counterparts of a configuration. Undefined: there is none. */
export type Counterparts = (type: string, is: 'resource' | 'data') => Counterpart | undefined;

export function counterpartsOf(names: Names): Counterparts {
  const schema = providerSchema();
  return (type, is) => {
    if (!type.startsWith(`${names.prefix}_`)) return undefined;
    const ours = is === 'resource' ? schema.resources : schema.dataSources;
    const told = names.resources.get(type);
    const found = told?.type ?? sameName(type.slice(names.prefix.length + 1), Object.keys(ours));
    const attributes = found === undefined ? undefined : ours[found]?.attributes;
    if (found === undefined || attributes === undefined) return undefined;
    const common = [...names.attributes].filter(
      ([, { to }]) => to === undefined || attributeAt(attributes, to) !== undefined,
    );
    const rules = new Map([...common, ...(told?.attributes ?? [])]);
    return { type: found, attributes, rules, ...present({ with: told?.with }) };
  };
}

/** `volume_set` is `gantry_volumeset`. */
function sameName(name: string, types: readonly string[]): string | undefined {
  return types.find((type) => plain(type.slice(type.indexOf('_') + 1)) === plain(name));
}

/** `ipset` and `ip_set` are the same. */
function plain(text: string): string {
  return text.replaceAll('_', '');
}

/**
 * Where the attribute at a path goes: as the table says; else to the same name in another spelling, at the same place, or in
 * a block that the other provider does not have. `null`: there is nothing like it, says the table.
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
  const around = parent.attribute.attributes;
  const [inside, ...others] = placesOf(around, spellingsOf(path.at(-1) ?? ''));
  const attribute = inside === undefined ? undefined : attributeAt(around, inside);
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

/** How deep an attribute may be in blocks that the other provider does not have. */
const deepest = 2;

/**
 * The attribute itself, or else all of its name in objects that are there once, as near as they are: in what is written
 * (a data source has it as attributes), else in what the platform says.
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
  leadsOn: (name: string, attribute: Attribute) => boolean,
): readonly (readonly string[])[] {
  let level: readonly { readonly path: readonly string[]; readonly attributes: Attributes }[] = [
    { path: [], attributes },
  ];
  for (let depth = 0; depth <= deepest; depth += 1) {
    const found = level.flatMap(({ path, attributes: inside }) => {
      const name = namedIn(inside, spellings);
      return name === undefined ? [] : [[...path, name]];
    });
    if (found.length > 0) return found;
    level = level.flatMap(({ path, attributes: inside }) =>
      Object.entries(inside).flatMap(([name, each]) =>
        'attributes' in each && each.nesting === 'single' && leadsOn(name, each)
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
    Object.keys(attributes).find((each) => plain(each) === plain(asIs))
  );
}
