import type { JsonValue } from '../../base/json/json.ts';
import { textsIn } from '../../base/json/textsIn.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import type { Attribute, Attributes, NestedAttribute } from '../attribute.ts';
import type { Block } from '../block.ts';
import type { AttributePath } from '../diagnostic.ts';
import { Encoded, type Expression, Reference } from '../expression.ts';
import { labelOf } from '../names.ts';
import type { Form } from '../schema/form.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../value.ts';
import type { LifecycleParts } from './lifecycleOf.ts';
import type { Address, LinkTexts } from './linkTexts.ts';
import type { LiveTexts } from './liveTexts.ts';

/** The parts that a resource is written with. */
export interface ResourceParts {
  readonly kind: KnownKind;
  readonly address: Address;
  readonly attributes: Attributes;
  readonly value: ObjectValue;
  readonly links: LinkTexts;
  /** Texts that refer to live values; undefined: there are none, such as in what is live. */
  readonly live: LiveTexts | undefined;
  /** The address of its GVC, where that is a resource of the configuration. */
  readonly gvc: Address | undefined;
  readonly dependsOn: readonly Address[];
  readonly lifecycle: LifecycleParts;
  /** The values that become a variable beside those that the schema calls sensitive; undefined: there are none. */
  readonly hidden: Hidden | undefined;
}

/** The values that the author of a resource marked. */
interface Hidden {
  /** The attributes, and all that is inside them. */
  readonly marks: Marks;
  /** A text that repeats one of these is hidden wherever it stands. */
  readonly texts: readonly string[];
}

/** The rest of the paths of marked attributes, from here on. */
type Marks = readonly AttributePath[];

/** A mark on something is one on all that is in it. */
function marksBelow(marks: Marks, step: string | number): Marks {
  return marks.flatMap(([first, ...rest]) => (first === undefined ? [[]] : first === step ? [rest] : []));
}

/** A `resource` block, and the variables that it needs. */
export interface ResourceBlock {
  readonly block: Block;
  readonly variables: readonly string[];
}

type Member = readonly [name: string, value: Expression];

/** The content of a block: arguments, and blocks in their order. */
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
  const marks = parts.hidden?.marks ?? [];
  const body = writer.body(attributes, value, layoutOf(kind).record, { path: `${kind}_${address.label}`, marks });
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

/** Where a value is written. */
interface Place {
  /** It names the variable that stands for the value. */
  readonly path: string;
  readonly marks: Marks;
}

function inside({ path, marks }: Place, step: string | number, name = labelOf(String(step))): Place {
  return { path: `${path}_${name}`, marks: marksBelow(marks, step) };
}

class ValueWriter {
  readonly variables: string[] = [];
  readonly #links: LinkTexts;
  readonly #live: LiveTexts | undefined;
  readonly #hidden: Hidden | undefined;

  constructor({ links, live, hidden }: Pick<ResourceParts, 'links' | 'live' | 'hidden'>) {
    this.#links = links;
    this.#live = live;
    this.#hidden = hidden;
  }

  body(attributes: Attributes, value: ObjectValue, form: Form | undefined, place: Place): Body {
    const names = Object.keys(attributes);
    const first = firstNames.filter((name) => names.includes(name));
    const body: { readonly attributes: Member[]; readonly blocks: Block[] } = { attributes: [], blocks: [] };
    for (const name of new Set([...first, ...names])) {
      const attribute = attributes[name];
      const member = attributeOf(value, name);
      if (attribute === undefined || member === null || member === unknown) continue;
      if (attribute.required !== true && attribute.optional !== true) continue;
      const memberForm = formOfMember(form, name);
      if (saysNothing(memberForm, member)) continue;
      const at = inside(place, name);
      if ('type' in attribute) body.attributes.push([name, this.#expression(attribute, member, memberForm, at)]);
      else
        for (const each of this.#bodies(attribute, member, memberForm, at)) body.blocks.push({ type: name, ...each });
    }
    return body;
  }

  #expression(attribute: Attribute, value: Value, form: Form | undefined, place: Place): Expression {
    const isHidden = attribute.sensitive === true && this.#hidden !== undefined;
    return isHidden ? this.#variable(place) : this.#plain(value, form, place);
  }

  /** Labels of different keys may be the same. */
  #variable({ path }: Place): Reference {
    let name = path;
    for (let number = 2; this.variables.includes(name); number += 1) name = `${path}_${number}`;
    this.variables.push(name);
    return new Reference(`var.${name}`);
  }

  /** One block, one for each item of a list, or one for each member of a map, labelled with its key. */
  #bodies(
    { attributes, nesting }: NestedAttribute,
    value: Value,
    form: Form | undefined,
    place: Place,
  ): readonly Omit<Block, 'type'>[] {
    const block = (each: Value, eachForm: Form | undefined, at: Place): readonly Body[] =>
      isObjectValue(each) ? [this.body(attributes, each, eachForm, at)] : [];
    if (nesting === 'single') return block(value, form, place);
    if (isListValue(value)) {
      const item = form?.is === 'list' ? form.item : undefined;
      return value.flatMap((each, index) => block(each, item, inside(place, index, String(index + 1))));
    }
    const memberForm = form?.is === 'map' ? form.value : undefined;
    return Object.entries(isObjectValue(value) ? value : {}).flatMap(([key, each]) =>
      block(each, memberForm, inside(place, key)).map((made) => ({ ...made, labels: [key] })),
    );
  }

  #plain(value: Value, form: Form | undefined, place: Place): Expression {
    if (value === unknown) return null;
    if (place.marks.some(({ length }) => length === 0)) return this.#variable(place);
    if (typeof value === 'string') {
      const said: JsonValue = form?.is === 'json' ? JSON.parse(value) : value;
      if (this.#repeatsMarked(said)) return this.#variable(place);
      if (form?.is !== 'json') return this.#links.get(value) ?? this.#live?.expression(value, place.path) ?? value;
      this.#live?.refuse(said, place.path, 'it stands in JSON');
      return new Encoded(said);
    }
    if (isListValue(value)) {
      const item = form?.is === 'list' ? form.item : undefined;
      return value.map((each, index) => this.#plain(each, item, inside(place, index, String(index + 1))));
    }
    if (!isObjectValue(value)) return value;
    const member = form?.is === 'map' || form?.is === 'entries' ? form.value : undefined;
    return mapped(value, (each, key) => this.#plain(each, member, inside(place, key)));
  }

  #repeatsMarked(value: JsonValue): boolean {
    const { texts = [] } = this.#hidden ?? {};
    return texts.length > 0 && textsIn(value).some((said) => texts.some((text) => said.includes(text)));
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
