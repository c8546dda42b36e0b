import { isObject, type JsonObject, type JsonValue, objectAt, own } from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
import { textsIn } from '../../base/json/textsIn.ts';
import { shapeOf, withoutPlatformValues } from '../../kinds/shapeOf.ts';
import type { Lifecycle, Output } from '../../manifest/model/manifest.ts';
import { withoutOwnTags } from '../../manifest/model/ownTags.ts';
import { declarable } from '../../patch/declarable.ts';
import { byMarks } from '../../patch/shouldMask.ts';
import { type CreatableKind, isCreatableKind, isKnownKind, type KnownKind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { Attribute, Attributes, NestedAttribute } from '../attribute.ts';
import type { AttributePath } from '../diagnostic.ts';
import { type Block, Encoded, type Expression, Reference } from '../expression.ts';
import { labelOf, quoted } from '../names.ts';
import type { Form } from '../schema/form.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import { resourceSchema } from '../schema/providerSchema.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../value.ts';
import { configOf, importedConfig, stateOf } from '../values/stateOf.ts';
import { type LifecycleParts, lifecycleOf, markedAttributes } from './lifecycleOf.ts';
import { type Address, Addresses, type ConfiguredRecord, type LinkTexts, linkTexts } from './linkTexts.ts';
import { LiveTexts, type Unresolved } from './liveTexts.ts';

export interface ConfigurationOptions {
  readonly org: string;
  /** Adds an `import` block for each resource, for existing resources. */
  readonly imports: boolean;
  /** Whether sensitive values, and those marked by their author, become variables, declared without a value. */
  readonly hideSensitive: boolean;
  /** The outputs of a stack; with them, texts may refer to live values. If absent, every text is literal. */
  readonly outputs?: readonly Output[];
}

export interface Configuration {
  readonly blocks: readonly Block[];
  readonly addresses: ReadonlyMap<ResourceId, string>;
  /** Variables that must be set. */
  readonly variables: readonly string[];
  /** Instructions of manifests that Terraform has no equivalent for; a resource with `part` or `kind` is omitted. */
  readonly unsupported: readonly { readonly id: ResourceId; readonly instruction: string }[];
  /** Paths that neither the schema nor the provider knows: they stay unchanged on the platform. */
  readonly unknown: readonly { readonly id: ResourceId; readonly paths: readonly string[] }[];
  /** References to live values that Terraform has no equivalent for, which make the configuration invalid. */
  readonly unresolved: readonly Unresolved[];
  /** Outputs that are saved to a file, which Terraform does not do. */
  readonly unsupportedOutputs: readonly string[];
}

/**
 * The records as configuration of this provider: texts that name other records of the set become references. Parts of
 * other owners' resources are omitted, because Terraform owns a resource as a whole; so are custom kinds, which the
 * provider does not have.
 */
export function configurationOf(given: readonly ConfiguredRecord[], options: ConfigurationOptions): Configuration {
  const records = given.filter((each) => omissionReason(each) === undefined);
  const addresses = new Addresses();
  const all = new Map(records.map(({ ref }) => [formatRef(ref), addresses.of(ref)]));
  const links = linkTexts(records, options.org, (ref) => addresses.of(ref));
  const { outputs, hideSensitive } = options;
  const live = outputs && new LiveTexts({ addresses, all });
  const written = records.map((each) => writeRecord(each, { ...options, addresses, all, links, live }));
  const outputBlocks = live?.outputs(outputs ?? [], hideSensitive);
  return {
    blocks: [
      ...written.flatMap(({ blocks }) => blocks),
      ...(live?.blocks ?? []),
      ...(outputBlocks?.variables ?? []).map((name) => variableBlock(name, 'an output')),
      ...(outputBlocks?.blocks ?? []),
    ],
    addresses: new Map([...all].map(([id, { text }]) => [id, text])),
    variables: [...written.flatMap(({ variables }) => variables), ...(outputBlocks?.variables ?? [])],
    unresolved: live?.unresolved ?? [],
    unsupportedOutputs: outputBlocks?.lost ?? [],
    unsupported: [
      ...compact(given, (each) => {
        const instruction = omissionReason(each);
        return instruction === undefined ? undefined : { id: formatRef(each.ref), instruction };
      }),
      ...written.flatMap(({ unsupported }) => unsupported),
    ],
    unknown: written.flatMap(({ unknown }) => unknown),
  };
}

function omissionReason({ ref, record }: ConfiguredRecord): 'kind' | 'part' | undefined {
  if (!isKnownKind(ref.kind)) return 'kind';
  return own(objectAt(record, 'lifecycle'), 'part') === true ? 'part' : undefined;
}

/** The same for single records, without references: the returned function remembers the labels. */
export function eachConfiguration(options: ConfigurationOptions): (record: ConfiguredRecord) => readonly Block[] {
  const addresses = new Addresses();
  const none = new Map();
  return (record) =>
    omissionReason(record) === undefined
      ? writeRecord(record, { ...options, addresses, all: none, links: none, live: undefined }).blocks
      : [];
}

interface Writing extends ConfigurationOptions {
  readonly addresses: Addresses;
  readonly all: ReadonlyMap<ResourceId, Address>;
  readonly links: ReadonlyMap<ResourceId, LinkTexts>;
  readonly live: LiveTexts | undefined;
}

function writeRecord(
  given: ConfiguredRecord,
  { org, addresses, all, links, live: liveTexts, imports, hideSensitive }: Writing,
): Pick<Configuration, 'blocks' | 'variables' | 'unsupported' | 'unknown'> {
  const { ref, record } = given;
  const { kind, name, gvc } = ref;
  const address = addresses.of(ref);
  if (!isCreatableKind(kind)) return { blocks: [dataBlock(ref, address)], variables: [], unsupported: [], unknown: [] };
  const { lifecycle: instructed = {}, ...fields } = withoutOwnTags(withoutPlatformValues(kind, record));
  const live = given.live && withoutPlatformValues(kind, given.live);
  const instructions: Lifecycle = isObject(instructed) ? instructed : {};
  const whole = { ...fields, name, ...present({ gvc }) };
  const paths = given.unknown ?? declarable(shapeOf(kind, whole), whole, contextOf(ref, org)).unknown;
  const config = configOf(kind, whole, { org });
  const lifecycle = lifecycleOf(kind, whole, config, instructions);
  const { sensitive: marks = [] } = instructions;
  const { texts } = byMarks(shapeOf(kind, whole), marks, whole);
  const { block, variables } = resourceBlock({
    kind,
    address,
    attributes: resourceSchema(kind).attributes,
    value: live === undefined ? config : { ...config, ...asImported(kind, live, config, org) },
    links: links.get(formatRef(ref)) ?? new Map(),
    live: liveTexts,
    gvc: gvc === undefined ? undefined : all.get(formatRef({ kind: 'gvc', name: gvc })),
    dependsOn: (instructions.dependsOn ?? []).flatMap((id) => all.get(id) ?? []),
    lifecycle,
    hidden: hideSensitive ? { marks: markedAttributes(kind, whole, config, marks), texts } : undefined,
  });
  return {
    blocks: [
      ...(imports ? [importBlock(ref, address)] : []),
      paths.length === 0 ? block : { ...block, comment: [unknownText(paths)] },
      ...variables.map((each) => variableBlock(each, address.text)),
    ],
    variables,
    unsupported: lifecycle.unsupported.map((instruction) => ({ id: formatRef(ref), instruction })),
    unknown: paths.length === 0 ? [] : [{ id: formatRef(ref), paths }],
  };
}

function asImported(kind: CreatableKind, live: JsonObject, said: ObjectValue, org: string): ObjectValue {
  return importedConfig(layoutOf(kind).record, stateOf(kind, live, { org }), said);
}

function unknownText(paths: readonly string[]): string {
  return `Not known to this provider, and left as it is on the platform: ${paths.map(quoted).join(', ')}`;
}

/** A record that only the platform creates can be read. None of them is in a GVC. */
function dataBlock({ name }: Ref, { type, label }: Address): Block {
  return {
    type: 'data',
    labels: [type, label],
    attributes: [['name', name]],
  };
}

function importBlock({ name, gvc }: Ref, { text }: Address): Block {
  return {
    type: 'import',
    attributes: [
      ['to', new Reference(text)],
      ['id', gvc === undefined ? name : `${gvc}/${name}`],
    ],
  };
}

function variableBlock(name: string, of: string): Block {
  return {
    type: 'variable',
    labels: [name],
    attributes: [
      ['description', `A sensitive value of ${of}.`],
      ['sensitive', true],
    ],
  };
}

interface ResourceParts {
  readonly kind: KnownKind;
  readonly address: Address;
  readonly attributes: Attributes;
  readonly value: ObjectValue;
  readonly links: LinkTexts;
  /** Texts that refer to live values; undefined if there are none, such as in a live record. */
  readonly live: LiveTexts | undefined;
  /** The address of its GVC, if that is a resource of the configuration. */
  readonly gvc: Address | undefined;
  readonly dependsOn: readonly Address[];
  readonly lifecycle: LifecycleParts;
  /** The values that become variables beside those that the schema calls sensitive; undefined if there are none. */
  readonly hidden: Hidden | undefined;
}

/** The values that the author of a resource marked. */
interface Hidden {
  /** The marked attributes, including their content. */
  readonly marks: Marks;
  /** Any text that repeats one of these is hidden. */
  readonly texts: readonly string[];
}

/** The remaining paths of marked attributes below the current place. */
type Marks = readonly AttributePath[];

/** A mark includes all nested values. */
function marksBelow(marks: Marks, step: string | number): Marks {
  return marks.flatMap(([first, ...rest]) => (first === undefined ? [[]] : first === step ? [rest] : []));
}

/** A `resource` block, and the variables that it needs. */
interface ResourceBlock {
  readonly block: Block;
  readonly variables: readonly string[];
}

type Member = readonly [name: string, value: Expression];

/** The content of a block: arguments, and blocks in their order. */
interface Body {
  readonly attributes: readonly Member[];
  readonly blocks: readonly Block[];
}

/** Written first; the others follow in the order of the schema. */
const firstNames: readonly string[] = ['name', 'gvc', 'description', 'tags'];

function rankOf(name: string): number {
  return firstNames.includes(name) ? firstNames.indexOf(name) : firstNames.length;
}

/** The block of one resource, without null values and those that only the platform sets. */
function resourceBlock(parts: ResourceParts): ResourceBlock {
  const { kind, address, attributes, value, gvc, dependsOn, lifecycle } = parts;
  const writer = new ValueWriter(parts);
  const instructions = lifecycle.attributes.filter(([name]) => Object.hasOwn(attributes, name));
  const instructionNames = new Set(instructions.map(([name]) => name));
  const marks = parts.hidden?.marks ?? [];
  const body = writer.body(attributes, value, layoutOf(kind).record, { path: `${kind}_${address.label}`, marks });
  const own = body.attributes
    .filter(([name]) => !instructionNames.has(name))
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

/** The place of a value. */
interface Place {
  /** Names the variable that replaces the value. */
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
    const body: { readonly attributes: Member[]; readonly blocks: Block[] } = { attributes: [], blocks: [] };
    for (const [name, attribute] of Object.entries(attributes).toSorted(([a], [b]) => rankOf(a) - rankOf(b))) {
      const member = attributeOf(value, name);
      if (member === null || member === unknown) continue;
      if (attribute.required !== true && attribute.optional !== true) continue;
      const memberForm = formOfMember(form, name);
      if (isEmptyChoice(memberForm, member)) continue;
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

  /** Different keys may have the same label. */
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
    const item = itemForm(form);
    if (isListValue(value))
      return value.flatMap((each, index) => block(each, item, inside(place, index, String(index + 1))));
    return Object.entries(isObjectValue(value) ? value : {}).flatMap(([key, each]) =>
      block(each, item, inside(place, key)).map((made) => ({ ...made, labels: [key] })),
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
    const item = itemForm(form);
    if (isListValue(value))
      return value.map((each, index) => this.#plain(each, item, inside(place, index, String(index + 1))));
    if (!isObjectValue(value)) return value;
    const said = Object.entries(value).filter(([, each]) => each !== null);
    return Object.fromEntries(said.map(([key, each]) => [key, this.#plain(each, item, inside(place, key))]));
  }

  #repeatsMarked(value: JsonValue): boolean {
    const { texts = [] } = this.#hidden ?? {};
    return texts.length > 0 && textsIn(value).some((said) => texts.some((text) => said.includes(text)));
  }
}

/** The form of the items of a list, or of the values of a map. */
function itemForm(form: Form | undefined): Form | undefined {
  return form?.is === 'list' ? form.item : form?.is === 'map' ? form.value : undefined;
}

/** The form of an attribute; members that the schema does not declare are JSON text. In a choice all are texts. */
function formOfMember(form: Form | undefined, name: string): Form | undefined {
  if (form?.is !== 'object') return undefined;
  if (form.others === name) return { is: 'json', shape: form.shape };
  return form.members.find((member) => member.name === name)?.form;
}

/** Whether a value, whose form depends on another field, is empty. */
function isEmptyChoice(form: Form | undefined, value: Value): boolean {
  return form?.is === 'choice' && isObjectValue(value) && Object.values(value).every((each) => each === null);
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['part', ' is left out: Terraform owns a resource as a whole, not a part of it'],
  ['kind', ' is left out: the provider has no kinds of your own'],
]);

/** The declared values that a configuration omits, one line each. */
export function notesOf({
  unsupported,
  unknown,
  unsupportedOutputs,
}: Pick<Configuration, 'unsupported' | 'unknown' | 'unsupportedOutputs'>): readonly string[] {
  return [
    ...unsupported.map(
      ({ id, instruction }) =>
        `${id}${reasons.get(instruction) ?? `: lifecycle.${instruction} has no counterpart in Terraform`}`,
    ),
    ...unsupportedOutputs.map((name) => `the output ${name} is left out: Terraform saves no value to a file`),
    ...unknown.map(({ id, paths }) => `${id}: not known to the provider, and left out: ${paths.join(', ')}`),
  ];
}
