import { isObject, type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import { withoutPlatformValues } from '../../kinds/shape/withoutPlatformValues.ts';
import type { Lifecycle } from '../../manifest/model/lifecycle.ts';
import type { Output } from '../../manifest/model/output.ts';
import { withoutOwnTags } from '../../manifest/model/ownTags.ts';
import { byMarks } from '../../patch/model/sensitivity.ts';
import { declarable } from '../../patch/reconcile/declarable.ts';
import { type CreatableKind, isCreatableKind, isKnownKind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { Block } from '../block.ts';
import { Reference } from '../expression.ts';
import { quoted } from '../names.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import { resourceSchema } from '../schema/providerSchema.ts';
import type { ObjectValue } from '../value.ts';
import { importedConfig } from '../values/importedConfig.ts';
import { configOf, stateOf } from '../values/stateOf.ts';
import { lifecycleOf, markedAttributes } from './lifecycleOf.ts';
import { type Address, Addresses, type LinkTexts, linkTexts } from './linkTexts.ts';
import { LiveTexts, type Unresolved } from './liveTexts.ts';
import type { ConfiguredRecord } from './record.ts';
import { resourceBlock } from './resourceBlock.ts';

export interface ConfigurationOptions {
  readonly org: string;
  /** With an `import` block for each resource: they are there already. */
  readonly imports: boolean;
  /** Whether sensitive values, and those that their author marked, become variables, which are declared without a value. */
  readonly hideSensitive: boolean;
  /** The outputs of a stack; with them, texts may refer to live values. Absent: every text is literal. */
  readonly outputs?: readonly Output[];
}

export interface Configuration {
  readonly blocks: readonly Block[];
  readonly addresses: ReadonlyMap<ResourceId, string>;
  /** Those that have to be set. */
  readonly variables: readonly string[];
  /** Instructions of manifests that Terraform has nothing for; a resource with `part` or `kind` is left out. */
  readonly lost: readonly { readonly id: ResourceId; readonly instruction: string }[];
  /** Paths that the schema does not know, and the provider neither: they stay as they are on the platform. */
  readonly unknown: readonly { readonly id: ResourceId; readonly paths: readonly string[] }[];
  /** References to live values that Terraform has nothing for: the configuration is none with them. */
  readonly unresolved: readonly Unresolved[];
  /** Outputs that are saved to a file, which Terraform does not do. */
  readonly lostOutputs: readonly string[];
}

/**
 * The records as configuration of this provider: texts that name others of them are references. What is only a part of
 * somebody else's resource is left out, as Terraform owns a resource as a whole; and so is what is of a kind of the user's
 * own, which the provider does not have.
 */
export function configurationOf(given: readonly ConfiguredRecord[], options: ConfigurationOptions): Configuration {
  const records = given.filter((each) => whyNot(each) === undefined);
  const addresses = new Addresses();
  const all = new Map(records.map(({ ref }) => [formatRef(ref), addresses.of(ref)]));
  const links = linkTexts(records, options.org, (ref) => addresses.of(ref));
  const { outputs, hideSensitive } = options;
  const live = outputs && new LiveTexts({ addresses, all });
  const written = records.map((each) => writeRecord(each, { ...options, addresses, all, links, live }));
  const handedOn = live?.outputs(outputs ?? [], hideSensitive);
  return {
    blocks: [
      ...written.flatMap(({ blocks }) => blocks),
      ...(live?.blocks ?? []),
      ...(handedOn?.variables ?? []).map((name) => variableBlock(name, 'an output')),
      ...(handedOn?.blocks ?? []),
    ],
    addresses: new Map([...all].map(([id, { text }]) => [id, text])),
    variables: [...written.flatMap(({ variables }) => variables), ...(handedOn?.variables ?? [])],
    unresolved: live?.unresolved ?? [],
    lostOutputs: handedOn?.lost ?? [],
    lost: [
      ...given.flatMap((each) => {
        const instruction = whyNot(each);
        return instruction === undefined ? [] : [{ id: formatRef(each.ref), instruction }];
      }),
      ...written.flatMap(({ lost }) => lost),
    ],
    unknown: written.flatMap(({ unknown }) => unknown),
  };
}

function whyNot({ ref, record }: ConfiguredRecord): 'kind' | 'part' | undefined {
  if (!isKnownKind(ref.kind)) return 'kind';
  return own(objectAt(record, 'lifecycle'), 'part') === true ? 'part' : undefined;
}

/** The same one record at a time, without references: the function remembers the labels. */
export function eachConfiguration(options: ConfigurationOptions): (record: ConfiguredRecord) => readonly Block[] {
  const addresses = new Addresses();
  const none = new Map();
  return (record) =>
    whyNot(record) === undefined
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
): Pick<Configuration, 'blocks' | 'variables' | 'lost' | 'unknown'> {
  const { ref, record } = given;
  const { kind, name, gvc } = ref;
  const address = addresses.of(ref);
  if (!isCreatableKind(kind)) return { blocks: [dataBlock(ref, address)], variables: [], lost: [], unknown: [] };
  const { lifecycle: instructed = {}, ...fields } = withoutOwnTags(withoutPlatformValues(kind, record));
  const live = given.live && withoutPlatformValues(kind, given.live);
  const instructions: Lifecycle = isObject(instructed) ? instructed : {};
  const whole = { ...fields, name, ...present({ gvc }) };
  const paths = given.unknown ?? declarable(shapeOf(kind, whole), whole, contextOf(ref, org)).unknown;
  const said = configOf(kind, whole, { org });
  const lifecycle = lifecycleOf(kind, whole, said, instructions);
  const { sensitive: marks = [] } = instructions;
  const { texts } = byMarks(shapeOf(kind, whole), marks, whole);
  const { block, variables } = resourceBlock({
    kind,
    address,
    attributes: resourceSchema(kind).attributes,
    value: live === undefined ? said : { ...said, ...asImported(kind, live, said, org) },
    links: links.get(formatRef(ref)) ?? new Map(),
    live: liveTexts,
    gvc: gvc === undefined ? undefined : all.get(formatRef({ kind: 'gvc', name: gvc })),
    dependsOn: (instructions.dependsOn ?? []).flatMap((id) => all.get(id) ?? []),
    lifecycle,
    hidden: hideSensitive ? { marks: markedAttributes(kind, whole, said, marks), texts } : undefined,
  });
  return {
    blocks: [
      ...(imports ? [importBlock(ref, address)] : []),
      paths.length === 0 ? block : { ...block, comment: [unknownText(paths)] },
      ...variables.map((each) => variableBlock(each, address.text)),
    ],
    variables,
    lost: lifecycle.lost.map((instruction) => ({ id: formatRef(ref), instruction })),
    unknown: paths.length === 0 ? [] : [{ id: formatRef(ref), paths }],
  };
}

function asImported(kind: CreatableKind, live: JsonObject, said: ObjectValue, org: string): ObjectValue {
  return importedConfig(layoutOf(kind).record, stateOf(kind, live, { org }), said);
}

function unknownText(paths: readonly string[]): string {
  return `Not known to this provider, and left as it is on the platform: ${paths.map(quoted).join(', ')}`;
}

/** A record that only the platform creates can be read. */
function dataBlock(ref: Ref, { type, label }: Address): Block {
  return {
    type: 'data',
    labels: [type, label],
    attributes: [['name', ref.name], ...(ref.gvc === undefined ? [] : [['gvc', ref.gvc] as const])],
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
