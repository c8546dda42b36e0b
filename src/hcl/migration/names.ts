import { dictionary, object, optional, type Reader, text, textLike } from '../../base/form/read.ts';
import { isObject } from '../../base/json/json.ts';
import type { Attribute, Attributes } from '../attribute.ts';
import { providerBlock } from '../schema/providerBlock.ts';
import { providerSchema } from '../schema/providerSchema.ts';

/** What becomes of an attribute or block of the other provider. */
export interface Rule {
  /** The path in our resource, from its root; undefined: there is nothing like it. */
  readonly to: readonly string[] | undefined;
  /** Of blocks that become a map: their attributes with the key and the value. */
  readonly key?: string;
  readonly value?: string;
}

/** How another provider calls what this one has. */
export interface Names {
  /** Of its types, and its local name: `acme` of `acme_app`. */
  readonly prefix: string;
  /** Attributes of its provider block. */
  readonly provider: ReadonlyMap<string, Rule>;
  /** By type. */
  readonly resources: ReadonlyMap<string, ResourceNames>;
}

export interface ResourceNames {
  /** Of this provider. */
  readonly type: string | undefined;
  /** By the path of the other provider. */
  readonly attributes: ReadonlyMap<string, Rule>;
}

const path = textLike((given) => /^\w+(\.\w+)*$/.test(given), 'a path as `spec.containers.image`, or null');
const withForm = object({ to: path, key: optional(text), value: optional(text) });

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
  resources: optional(dictionary(object({ type: optional(text), attributes: optional(rules) }))),
});

export function namesOf(prefix: string): Names {
  return { prefix, provider: new Map(), resources: new Map() };
}

/** A table of names. Errors: `Unreadable`, also for types and attributes that this provider does not have. */
export const namesReader: Reader<Names> = {
  schema: file.schema,
  read(given, at) {
    const { prefix, provider = new Map<string, Rule>(), resources = new Map() } = file.read(given, at);
    const schema = providerSchema();
    const check = (attributes: Attributes, { to }: Rule, where: typeof at): void => {
      if (to !== undefined && attributeAt(attributes, to) === undefined) {
        throw where.bad(`names ${to.join('.')}, which this provider does not have`);
      }
    };
    const inProvider = at.key('provider');
    for (const [name, each] of provider) check(providerBlock.attributes, each, inProvider.key(name));
    const read = [...resources].map(([type, { type: to, attributes = new Map<string, Rule>() }]) => {
      const here = at.key('resources').key(type);
      const ours = to === undefined ? undefined : (schema.resources[to] ?? schema.dataSources[to]);
      if (to !== undefined && ours === undefined) throw here.key('type').bad('must be a type of this provider');
      if (ours !== undefined) {
        for (const [name, each] of attributes) check(ours.attributes, each, here.key('attributes').key(name));
      }
      return [type, { type: to, attributes }] as const;
    });
    return { prefix, provider, resources: new Map(read) };
  },
};

/** The attribute at a path, through blocks and nested attributes. */
export function attributeAt(attributes: Attributes, [name, ...rest]: readonly string[]): Attribute | undefined {
  const found = name !== undefined && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (found === undefined || rest.length === 0) return found;
  return 'attributes' in found ? attributeAt(found.attributes, rest) : undefined;
}
