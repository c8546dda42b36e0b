import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { hasLiveText, type LiveReference, liveParts } from '../../manifest/live/liveReference.ts';
import { isShownOnce } from '../../manifest/live/shownOnce.ts';
import type { Output } from '../../manifest/model/manifest.ts';
import { isKnownKind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { namesOfPath } from '../../schema/shape/paths.ts';
import { type Block, type Expression, Reference, Template } from '../expression.ts';
import { labelOf, quoted } from '../names.ts';
import type { Form, ListForm, Member } from '../schema/form.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import type { Address, Addresses } from './linkTexts.ts';

/** A reference to a live value that Terraform has no equivalent for, and its place. */
export interface Unresolved {
  readonly in: string;
  readonly reference: LiveReference;
  readonly because: string;
}

interface Declared {
  readonly addresses: Addresses;
  /** The resources of the configuration. */
  readonly all: ReadonlyMap<ResourceId, Address>;
}

/**
 * The expressions for texts that refer to live values: an attribute of the resource if it has the value, otherwise one
 * of an additional data source.
 */
export class LiveTexts {
  readonly unresolved: Unresolved[] = [];
  readonly #of: Declared;
  readonly #data = new Map<ResourceId, Block>();

  constructor(of: Declared) {
    this.#of = of;
  }

  /** The data sources that the expressions read. */
  get blocks(): readonly Block[] {
    return [...this.#data.values()];
  }

  /** Undefined if the text is none of these. `place`: for messages. */
  expression(text: string, place: string): Expression | undefined {
    if (!hasLiveText(text)) return undefined;
    const parts = liveParts(text).map((part) => (typeof part === 'string' ? part : this.#reference(part, place)));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : new Template(parts);
  }

  /** Refuses references in a value that cannot contain an expression. */
  refuse(value: JsonValue, place: string, because: string): void {
    if (isArray(value)) for (const item of value) this.refuse(item, place, because);
    else if (isObject(value)) for (const item of Object.values(value)) this.refuse(item, place, because);
    else if (typeof value === 'string') {
      for (const part of liveParts(value)) {
        if (typeof part !== 'string') this.unresolved.push({ in: place, reference: part, because });
      }
    }
  }

  /** One block for each output. A value that only its author marked as sensitive becomes a variable. */
  outputs(outputs: readonly Output[], hideSensitive: boolean) {
    const blocks: Block[] = [];
    const variables: string[] = [];
    const lost: string[] = [];
    const used = new Set<string>();
    for (const { name, value, description, sensitive, saveTo } of outputs) {
      if (saveTo !== undefined) {
        lost.push(name);
        continue;
      }
      const label = unusedLabel(labelOf(name), used);
      const place = `output ${name}`;
      const isReference = typeof value === 'string' && liveParts(value).every((part) => typeof part !== 'string');
      const isHidden = sensitive && hideSensitive && !isReference;
      if (isHidden) variables.push(`output_${label}`);
      blocks.push({
        type: 'output',
        labels: [label],
        attributes: compact([
          ['value', isHidden ? new Reference(`var.output_${label}`) : this.#value(value, place)],
          description === undefined ? undefined : (['description', description] as const),
          sensitive ? (['sensitive', true] as const) : undefined,
        ]),
      });
    }
    return { blocks, variables, lost };
  }

  #value(value: JsonValue, place: string): Expression {
    if (typeof value === 'string') return this.expression(value, place) ?? value;
    if (isArray(value)) return value.map((item) => this.#value(item, place));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#value(item, place)]));
  }

  #reference(reference: LiveReference, place: string): Reference | string {
    const because = this.#why(reference);
    if (because !== undefined) {
      this.unresolved.push({ in: place, reference, because });
      return reference.text;
    }
    const { ref, id, path } = reference;
    if (!isKnownKind(ref.kind)) return reference.text;
    const { record, lastingAnswers, allAnswers } = layoutOf(ref.kind);
    const own = this.#of.all.get(id);
    const inResource = own && attributeAddress(own.text, [...record.members, ...lastingAnswers], path);
    if (inResource !== undefined) return new Reference(inResource);
    const data = this.#dataOf(ref, own);
    return new Reference(attributeAddress(data, [...record.members, ...allAnswers], path) ?? data);
  }

  #why(reference: LiveReference): string | undefined {
    const { ref, path } = reference;
    if (isShownOnce(reference)) return 'it is shown once, when it is made, and no attribute has it';
    if (!isKnownKind(ref.kind)) return 'the provider has no kinds of your own';
    const { record, allAnswers } = layoutOf(ref.kind);
    return attributeAddress('', [...record.members, ...allAnswers], path) === undefined
      ? 'no attribute of the provider has it'
      : undefined;
  }

  /** A resource of the configuration is created before its data source reads it. */
  #dataOf(ref: Ref, own: Address | undefined): string {
    const { type, label } = this.#of.addresses.of(ref);
    const gvc = ref.gvc === undefined ? undefined : this.#of.all.get(formatRef({ kind: 'gvc', name: ref.gvc }));
    const nameOf = (address: Address | undefined, name: string): Expression =>
      address === undefined ? name : new Reference(`${address.text}.name`);
    this.#data.set(formatRef(ref), {
      type: 'data',
      labels: [type, label],
      attributes: compact([
        ['name', nameOf(own, ref.name)],
        ref.gvc === undefined ? undefined : (['gvc', nameOf(gvc, ref.gvc)] as const),
      ]),
    });
    return `data.${type}.${label}`;
  }
}

function unusedLabel(wanted: string, used: Set<string>): string {
  let label = wanted;
  for (let number = 2; used.has(label); number += 1) label = `${wanted}_${number}`;
  used.add(label);
  return label;
}

/**
 * A path of a record as an expression after the address of its block, `gantry_workload.web.status.canonical_endpoint`;
 * undefined if there is no such attribute.
 */
function attributeAddress(address: string, members: readonly Member[], path: string): string | undefined {
  return memberAddress(address, members, namesOfPath(path));
}

type Names = readonly string[];

function memberAddress(at: string, members: readonly Member[], [field, ...rest]: Names): string | undefined {
  const member = members.find((each) => each.field === field);
  return member && formAddress(`${at}.${member.name}`, member.form, rest);
}

function formAddress(at: string, form: Form, names: Names): string | undefined {
  const [name, ...rest] = names;
  if (form.is === 'choice') return undefined;
  if (name === undefined) return at;
  switch (form.is) {
    case 'object':
      return memberAddress(at, form.members, names);
    case 'map':
      return formAddress(`${at}[${quoted(name)}]`, form.value, rest);
    case 'entries':
      return rest[0] === form.field ? `${at}[${quoted(name)}]` : undefined;
    case 'list':
      return itemAddress(at, form, name, rest);
    default:
      return undefined;
  }
}

/** An item by its position, or by its key if that is one field, compared as it is written. */
function itemAddress(at: string, { item, shape }: ListForm, name: string, rest: Names): string | undefined {
  const { list } = shape.facts;
  if (list?.class !== 'keyed') return /^\d+$/.test(name) ? formAddress(`${at}[${name}]`, item, rest) : undefined;
  const [part, second] = list.key.parts;
  const isPlain = second === undefined && part?.fields.length === 1 && list.key.compare === undefined;
  const key = isPlain && item.is === 'object' ? item.members.find(({ field }) => field === part.fields[0]) : undefined;
  const inside = formAddress('each', item, rest);
  if (key === undefined || inside === undefined) return undefined;
  const wanted = key.form.is === 'number' ? name : quoted(name);
  return `one([for each in ${at} : ${inside} if each.${key.name} == ${wanted}])`;
}
