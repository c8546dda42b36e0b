import type { KnownKind } from '../../schema/record/kinds.ts';
import type { Block } from '../hcl/block.ts';
import { Encoded, type Expression, Reference } from '../hcl/expression.ts';
import { labelOf } from '../hcl/names.ts';
import type { Attribute, Attributes } from '../model/attribute.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../model/value.ts';
import type { Form } from '../schema/form.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import type { Address } from './addresses.ts';
import type { LifecycleParts } from './lifecycleOf.ts';
import type { LinkTexts } from './linkTexts.ts';

/** What a resource is written with. */
export interface ResourceParts {
  readonly kind: KnownKind;
  readonly address: Address;
  readonly attributes: Attributes;
  readonly value: ObjectValue;
  readonly links: LinkTexts;
  /** The address of its GVC, where that is a resource of the configuration. */
  readonly gvc: Address | undefined;
  readonly dependsOn: readonly Address[];
  readonly lifecycle: LifecycleParts;
  /** Whether sensitive values become variables. */
  readonly hideSensitive: boolean;
}

/** A `resource` block, and the variables that it needs. */
export interface ResourceBlock {
  readonly block: Block;
  readonly variables: readonly string[];
}

type Member = readonly [name: string, value: Expression];

/** These are written first, the others in the order of the schema. */
const firstNames = ['name', 'gvc', 'description', 'tags'] as const;

/** The block of one resource: what is null, and what only the platform sets, is left out. */
export function resourceBlock(parts: ResourceParts): ResourceBlock {
  const { kind, address, attributes, value, gvc, dependsOn, lifecycle } = parts;
  const writer = new ValueWriter(parts);
  const instructions = lifecycle.attributes.filter(([name]) => Object.hasOwn(attributes, name));
  const said = new Set(instructions.map(([name]) => name));
  const own = writer
    .members(attributes, value, layoutOf(kind).record, `${kind}_${address.label}`)
    .filter(([name]) => !said.has(name))
    .map(([name, expression]): Member => {
      return name === 'gvc' && gvc !== undefined ? [name, new Reference(`${gvc.text}.name`)] : [name, expression];
    });
  const waits = dependsOn.map(({ text }) => new Reference(text));
  const waiting: readonly Member[] = waits.length === 0 ? [] : [['depends_on', waits]];
  return {
    block: {
      type: address.block,
      labels: [address.type, address.label],
      attributes: [...own, ...instructions, ...waiting],
      blocks: lifecycle.blocks,
    },
    variables: writer.variables,
  };
}

class ValueWriter {
  readonly variables: string[] = [];
  readonly #links: LinkTexts;
  readonly #hideSensitive: boolean;

  constructor({ links, hideSensitive }: Pick<ResourceParts, 'links' | 'hideSensitive'>) {
    this.#links = links;
    this.#hideSensitive = hideSensitive;
  }

  /** `path` names the variables. */
  members(attributes: Attributes, value: ObjectValue, form: Form | undefined, path: string): readonly Member[] {
    const names = Object.keys(attributes);
    const first = firstNames.filter((name) => names.includes(name));
    return [...new Set([...first, ...names])].flatMap((name): readonly Member[] => {
      const attribute = attributes[name];
      const member = attributeOf(value, name);
      if (attribute === undefined || member === null || member === unknown) return [];
      if (attribute.required !== true && attribute.optional !== true) return [];
      if (saysNothing(formOfMember(form, name), member)) return [];
      return [[name, this.#expression(attribute, member, formOfMember(form, name), `${path}_${name}`)]];
    });
  }

  #expression(attribute: Attribute, value: Value, form: Form | undefined, path: string): Expression {
    if (attribute.sensitive === true && this.#hideSensitive) {
      this.variables.push(path);
      return new Reference(`var.${path}`);
    }
    if ('type' in attribute) return this.#plain(value, form);
    const { attributes } = attribute;
    if (isListValue(value)) {
      const item = form?.is === 'list' ? form.item : undefined;
      return value.map((each, index) => this.#object(attributes, each, item, `${path}_${index + 1}`));
    }
    if (attribute.nesting === 'single') return this.#object(attributes, value, form, path);
    const inside = form?.is === 'map' ? form.value : undefined;
    return mapped(value, (each, key) => this.#object(attributes, each, inside, `${path}_${labelOf(key)}`));
  }

  #object(attributes: Attributes, value: Value, form: Form | undefined, path: string): Expression {
    if (!isObjectValue(value)) return this.#plain(value, form);
    return Object.fromEntries(this.members(attributes, value, form, path));
  }

  #plain(value: Value, form: Form | undefined): Expression {
    if (value === unknown) return null;
    if (typeof value === 'string') {
      return form?.is === 'json' ? new Encoded(JSON.parse(value)) : (this.#links.get(value) ?? value);
    }
    if (isListValue(value)) return value.map((item) => this.#plain(item, form?.is === 'list' ? form.item : undefined));
    if (isObjectValue(value))
      return mapped(value, (item) => this.#plain(item, form?.is === 'map' ? form.value : undefined));
    return value;
  }
}

function mapped(value: Value, each: (item: Value, key: string) => Expression): Expression {
  if (!isObjectValue(value)) return null;
  const made: Record<string, Expression> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null) continue;
    Object.defineProperty(made, key, { value: each(item, key), enumerable: true, configurable: true, writable: true });
  }
  return made;
}

/** The form of an attribute; that of members which the schema does not declare is JSON text. */
function formOfMember(form: Form | undefined, name: string): Form | undefined {
  if (form?.is === 'choice') return form.choices.find((choice) => choice.name === name)?.form;
  if (form?.is !== 'object') return undefined;
  if (form.others === name) return { is: 'json', shape: form.shape };
  return form.members.find((member) => member.name === name)?.form;
}

/** A value whose form depends on another field, and that is not there. */
function saysNothing(form: Form | undefined, value: Value): boolean {
  return form?.is === 'choice' && isObjectValue(value) && Object.values(value).every((each) => each === null);
}
