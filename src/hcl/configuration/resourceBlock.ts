import type { KnownKind } from '../../schema/record/kinds.ts';
import type { Attribute, Attributes, NestedAttribute } from '../attribute.ts';
import type { Block } from '../block.ts';
import { Encoded, type Expression, Reference } from '../expression.ts';
import { labelOf } from '../names.ts';
import type { Form } from '../schema/form.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../value.ts';
import type { LifecycleParts } from './lifecycleOf.ts';
import type { Address, LinkTexts } from './linkTexts.ts';

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

/** What is in a block: arguments, and blocks in their order. */
interface Body {
  readonly attributes: readonly Member[];
  readonly blocks: readonly Block[];
}

/** These are written first, the others in the order of the schema. */
const firstNames = ['name', 'gvc', 'description', 'tags'] as const;

/** The block of one resource: what is null, and what only the platform sets, is left out. */
export function resourceBlock(parts: ResourceParts): ResourceBlock {
  const { kind, address, attributes, value, gvc, dependsOn, lifecycle } = parts;
  const writer = new ValueWriter(parts);
  const instructions = lifecycle.attributes.filter(([name]) => Object.hasOwn(attributes, name));
  const said = new Set(instructions.map(([name]) => name));
  const body = writer.body(attributes, value, layoutOf(kind).record, `${kind}_${address.label}`);
  const own = body.attributes
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
      blocks: [...body.blocks, ...lifecycle.blocks],
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
  body(attributes: Attributes, value: ObjectValue, form: Form | undefined, path: string): Body {
    const names = Object.keys(attributes);
    const first = firstNames.filter((name) => names.includes(name));
    const body: { readonly attributes: Member[]; readonly blocks: Block[] } = { attributes: [], blocks: [] };
    for (const name of new Set([...first, ...names])) {
      const attribute = attributes[name];
      const member = attributeOf(value, name);
      if (attribute === undefined || member === null || member === unknown) continue;
      if (attribute.required !== true && attribute.optional !== true) continue;
      const inside = formOfMember(form, name);
      if (saysNothing(inside, member)) continue;
      const at = `${path}_${name}`;
      if ('type' in attribute) body.attributes.push([name, this.#expression(attribute, member, inside, at)]);
      else body.blocks.push(...this.#blocks(name, attribute, member, inside, at));
    }
    return body;
  }

  #expression(attribute: Attribute, value: Value, form: Form | undefined, path: string): Expression {
    if (attribute.sensitive !== true || !this.#hideSensitive) return this.#plain(value, form);
    this.variables.push(path);
    return new Reference(`var.${path}`);
  }

  /** One block, one for each item of a list, or one for each member of a map, labelled with its key. */
  #blocks(
    type: string,
    { attributes, nesting }: NestedAttribute,
    value: Value,
    form: Form | undefined,
    path: string,
  ): readonly Block[] {
    const block = (each: Value, inside: Form | undefined, at: string): readonly Block[] =>
      isObjectValue(each) ? [{ type, ...this.body(attributes, each, inside, at) }] : [];
    if (nesting === 'single') return block(value, form, path);
    if (isListValue(value)) {
      const item = form?.is === 'list' ? form.item : undefined;
      return value.flatMap((each, index) => block(each, item, `${path}_${index + 1}`));
    }
    const inside = form?.is === 'map' ? form.value : undefined;
    return Object.entries(isObjectValue(value) ? value : {}).flatMap(([key, each]) =>
      block(each, inside, `${path}_${labelOf(key)}`).map((made) => ({ ...made, labels: [key] })),
    );
  }

  #plain(value: Value, form: Form | undefined): Expression {
    if (value === unknown) return null;
    if (typeof value === 'string') {
      return form?.is === 'json' ? new Encoded(JSON.parse(value)) : (this.#links.get(value) ?? value);
    }
    if (isListValue(value)) return value.map((item) => this.#plain(item, form?.is === 'list' ? form.item : undefined));
    if (isObjectValue(value))
      return mapped(value, (item) =>
        this.#plain(item, form?.is === 'map' || form?.is === 'entries' ? form.value : undefined),
      );
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
