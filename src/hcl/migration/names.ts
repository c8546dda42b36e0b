import { choice, dictionary, object, optional, type Reader, text, textLike } from '../../base/form/read.ts';
import { isObject } from '../../base/json/json.ts';
import type { Attribute, Attributes } from '../attribute.ts';
import { providerBlock } from '../schema/providerBlock.ts';
import { providerSchema } from '../schema/providerSchema.ts';

/** How an attribute or block of the other provider is converted. */
export interface Rule {
  /** The path in our resource, from its root; undefined if there is no equivalent. */
  readonly to: readonly string[] | undefined;
  /** For blocks that become a map: their key and value attributes. For a map that becomes blocks: the value's path. */
  readonly key?: string;
  readonly value?: string;
  /** For texts that become links: the text before the name. `{target_kind}` is the value of the attribute beside it. */
  readonly link?: string;
  /** For read-only attributes: the surrounding text, with `{}` instead of the attribute. */
  readonly text?: string;
  /** For links that become names. */
  readonly name?: true;
  /** An empty block that must be in it: its path from there. */
  readonly block?: string;
  /** Attributes to add beside it in our resource: texts by attribute. */
  readonly with?: ReadonlyMap<string, string>;
}

/** Another provider's names for the concepts of this one. */
export interface Names {
  /** The prefix of its types, and its local name: `acme` of `acme_app`. */
  readonly prefix: string;
  /** Attributes of its provider block. */
  readonly provider: ReadonlyMap<string, Rule>;
  /** For every type with a counterpart and such an attribute; the rule of a type takes precedence. */
  readonly attributes: ReadonlyMap<string, Rule>;
  /** By type. */
  readonly resources: ReadonlyMap<string, ResourceNames>;
}

export interface ResourceNames {
  /** In this provider. */
  readonly type: string | undefined;
  /** By the path in the other provider. */
  readonly attributes: ReadonlyMap<string, Rule>;
  /** Attributes to add in each of our resources: texts by attribute. */
  readonly with: ReadonlyMap<string, string>;
}

const path = textLike((given) => /^\w+(\.\w+)*$/.test(given), 'a path as `spec.containers.image`, or null');
const texts = dictionary(text, { name: /^\w+$/, what: 'an attribute of the resource' });
const withForm = object({
  to: path,
  key: optional(text),
  value: optional(path),
  link: optional(textLike((given) => given.startsWith('//'), 'the beginning of a link, as `//location/`')),
  name: optional(choice(true)),
  block: optional(path),
  text: optional(textLike((given) => given.includes('{}'), 'a text with {} in it, as `https://{}`')),
  with: optional(texts),
});

const rule: Reader<Rule> = {
  schema: { anyOf: [{ type: 'null' }, path.schema, withForm.schema] },
  takesNull: true,
  read(given, at) {
    if (given === null) return { to: undefined };
    const { to, ...form } = isObject(given) ? withForm.read(given, at) : { to: path.read(given, at) };
    return { to: to.split('.'), ...form };
  },
};

const rules = dictionary(rule, { name: /^\w+(\.\w+)*$/, what: 'the path of an attribute' });
export const prefixReader = textLike(
  (given) => /^[a-z][a-z0-9-]*$/.test(given),
  'the beginning of its types, as `acme`',
);

const file = object({
  prefix: prefixReader,
  provider: optional(rules),
  attributes: optional(rules),
  resources: optional(dictionary(object({ type: optional(text), attributes: optional(rules), with: optional(texts) }))),
});

export function namesOf(prefix: string): Names {
  return { prefix, provider: new Map(), attributes: new Map(), resources: new Map() };
}

/** Reads a table of names. Errors: `Unreadable`, also for types and attributes that this provider does not have. */
export const namesReader: Reader<Names> = {
  schema: file.schema,
  read(given, at) {
    const {
      prefix,
      provider = new Map<string, Rule>(),
      attributes: common = new Map<string, Rule>(),
      resources = new Map(),
    } = file.read(given, at);
    const schema = providerSchema();
    const checkText = (attributes: Attributes, name: string, where: typeof at): void => {
      const found = attributeAt(attributes, [name]);
      if (found === undefined || 'attributes' in found || found.type !== 'string') {
        throw where.bad(`names ${name}, which is no text of this resource`);
      }
    };
    const check = (attributes: Attributes, { to, block, with: beside }: Rule, where: typeof at): void => {
      if (to !== undefined && attributeAt(attributes, to) === undefined) {
        throw where.bad(`names ${to.join('.')}, which this provider does not have`);
      }
      for (const name of beside?.keys() ?? []) checkText(attributes, name, where);
      const inside = to === undefined || block === undefined ? [] : [...to, ...block.split('.')];
      if (block !== undefined && attributeAt(attributes, inside) === undefined) {
        throw where.bad(`names ${inside.join('.')}, which this provider does not have`);
      }
    };
    const everyType = [...Object.values(schema.resources), ...Object.values(schema.dataSources)];
    for (const [name, { to }] of common) {
      if (to !== undefined && everyType.every(({ attributes }) => attributeAt(attributes, to) === undefined)) {
        throw at
          .key('attributes')
          .key(name)
          .bad(`names ${to.join('.')}, which this provider does not have`);
      }
    }
    const inProvider = at.key('provider');
    for (const [name, each] of provider) check(providerBlock.attributes, each, inProvider.key(name));
    const read = [...resources].map(([type, { type: to, attributes = new Map<string, Rule>(), with: beside }]) => {
      const here = at.key('resources').key(type);
      const ours = to === undefined ? undefined : (schema.resources[to] ?? schema.dataSources[to]);
      if (to !== undefined && ours === undefined) throw here.key('type').bad('must be a type of this provider');
      if (ours !== undefined) {
        for (const [name, each] of attributes) check(ours.attributes, each, here.key('attributes').key(name));
        for (const name of beside?.keys() ?? []) checkText(ours.attributes, name, here.key('with'));
      }
      return [type, { type: to, attributes, with: beside ?? new Map<string, string>() }] as const;
    });
    return { prefix, provider, attributes: common, resources: new Map(read) };
  },
};

/** The attribute at a path, through blocks and nested attributes. */
export function attributeAt(attributes: Attributes, [name, ...rest]: readonly string[]): Attribute | undefined {
  const found = name !== undefined && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (found === undefined || rest.length === 0) return found;
  return 'attributes' in found ? attributeAt(found.attributes, rest) : undefined;
}
