import { compact } from '../../src/base/json/present.ts';
import { allTypes } from '../../src/kinds/allTypes.ts';
import type { Sheets } from '../../src/kinds/common/sheet.ts';
import { boundsOf, descriptionOf } from '../../src/kinds/describedFields.ts';
import { sheets } from '../../src/kinds/list.ts';
import { readableKeys } from '../../src/schema/facts/secretKeys.ts';
import { creatableKinds, isGvcScoped } from '../../src/schema/record/kinds.ts';
import { builtInNames } from '../../src/server/records/decisions/builtInRecords.ts';
import {
  excludersOf,
  type Form,
  forms,
  isRequiredFor,
  narrowed,
  pascal,
  permissionsText,
  permissionTypes,
  typeForWorkload,
} from './forms.ts';
import { type Field, type ObjectType, objectTypes, type WorkloadType, workloadTypes } from './model.ts';
import { comment, literals, typeText } from './typeText.ts';

/** The props of a construct: the fields of a kind, without those that every resource has. */
interface Root {
  readonly type: string;
  readonly name: string;
  readonly base: 'ResourceProps' | 'GvcScopedProps';
  readonly about?: readonly string[];
  /** There is one interface for each type of workload. */
  readonly byWorkload?: true;
  /** Members that the construct defines differently. */
  readonly omitted?: readonly string[];
  readonly extra?: string;
}

const envelope = ['name', 'description', 'tags'];

/** Differences between the fields of a construct and its record, by the interface of its props. */
const special: Readonly<Record<string, Partial<Root>>> = {
  WorkloadProps: {
    byWorkload: true,
    omitted: ['identityLink'],
    extra: `${comment(
      [
        'Identity that the workload acts as. Needed to read secrets and to reach cloud accounts and agents.',
        '',
        '@see platform/workload.references',
      ],
      '  ',
    )}  readonly identity?: Reference<'identity'> | LinkInOwnGvc<'identity'> | undefined;\n`,
  },
  GvcProps: {
    extra: `${comment(
      [
        'Locations in which its workloads run: names (`aws-us-west-2`), links or constructs. Added to `staticPlacement.locationLinks`.',
        '',
        '@see platform/gvc.placement',
      ],
      '  ',
    )}  readonly locations?: readonly (LocationName | (string & {}) | Linkable<'location'>)[] | undefined;\n`,
  },
};

/** The props of each kind with its own fields. */
const roots: readonly Root[] = creatableKinds.flatMap((kind): readonly Root[] => {
  const { className, props, typeName }: Sheets[typeof kind] = sheets[kind];
  if (props === undefined) return [];
  const name = `${className}Props`;
  const base = isGvcScoped(kind) ? 'GvcScopedProps' : 'ResourceProps';
  const ofSpec = { type: `${className}Spec`, about: [allTypes[typeName]?.about ?? ''] };
  const own = props === 'spec' ? ofSpec : { type: typeName, omitted: envelope };
  return [{ name, base, ...own, ...special[name] }];
});

/** An interface without one of its fields, for types that define that field differently. */
interface Apart {
  readonly name: string;
  readonly field: string;
}

const apart: Readonly<Record<string, Apart>> = { Route: { name: 'RouteSettings', field: 'workloadLink' } };

/** The field that distinguishes the forms of some props. A construct infers it; a table has the other fields. */
const discriminators: ReadonlyMap<string, string> = new Map(
  compact(creatableKinds, (kind) => {
    const { className, discriminator }: Sheets[typeof kind] = sheets[kind];
    return discriminator === undefined ? undefined : ([`${className}Props`, discriminator] as const);
  }),
);

function apartInForm(name: string, form: string): Apart | undefined {
  const field = discriminators.get(name);
  return field === undefined ? undefined : { name: fieldsOf(form), field };
}

function fieldsOf(props: string): string {
  return props.replace(/Props$/, 'Fields');
}

const head = `// Generated from the schema by scripts/generate.ts. The words are in src/kinds/*/published.ts.

import type { GvcScopedProps, ResourceProps } from '../../constructs/resource.ts';
import type { EnvRecord, EnvValue } from '../../constructs/environment.ts';
import type { Linkable } from '../../constructs/linkable.ts';
import type { CpuQuantity, MaxAge, MemoryQuantity, Replicas, Retention, TimeToLive } from '../../constructs/quantities.ts';
import type { Needs } from '../../constructs/reasons.ts';
import type { InternalUri, LinkInOwnGvc, Reference, VolumeSource } from '../../constructs/references.ts';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
`;

/** One interface for each named type of the schema, flat, with its documentation: the text of a TypeScript module. */
export function interfacesText(): string {
  const types = objectTypes();
  const written = new Map<string, string>();
  for (const root of roots) writeRoot(root, types, written);
  return [
    head,
    ...written.values(),
    propsOfKindsText(),
    secretKeysText(),
    locationsText(),
    ...permissionTypes(),
    permissionsText(),
  ].join('\n');
}

/** The props of each kind, and whether they are the fields of `spec`: the types of manifests are derived from these. */
function propsOfKindsText(): string {
  const having = creatableKinds.filter((kind) => 'props' in sheets[kind]);
  const inSpec = having.filter((kind) => {
    const { props }: Sheets[typeof kind] = sheets[kind];
    return props === 'spec';
  });
  const rows = having.map((kind) => `  readonly ${kind}: ${sheets[kind].className}Props;\n`);
  return (
    `${comment(['The props of the construct of a kind, beside those that every resource has.'])}export interface PropsOfKinds {\n${rows.join('')}}\n\n` +
    `${comment(['Kinds whose props are the fields of `spec`.'])}export type KindInSpec = ${literals(inSpec)};\n`
  );
}

type Written = Map<string, string>;
type Types = ReadonlyMap<string, ObjectType>;

function writeRoot(root: Root, types: Types, written: Written): void {
  const { type, name, base } = root;
  const about = [...(root.about ?? [allTypes[type]?.about ?? '']), `@see platform/${allTypes[type]?.section ?? ''}`];
  const write = (as: string, words: readonly string[], body: string) =>
    written.set(as, `${comment(words)}export interface ${as} extends ${base} {\n${body}${root.extra ?? ''}}\n`);
  /** `values`: those of the field that distinguishes the members. */
  const union = (members: readonly string[], values: readonly (string | undefined)[] = []) => {
    written.set(name, `${comment(about)}export type ${name} = ${members.join(' | ')};\n`);
    if (discriminators.get(name) === undefined) return;
    const rows = members.map((member, index) => `  readonly ${values[index]}: ${fieldsOf(member)};\n`);
    const words = `The fields of \`${name}\` by \`${discriminators.get(name)}\`, which is not among them.`;
    written.set(fieldsOf(name), `${comment([words])}export interface ${fieldsOf(name)} {\n${rows.join('')}}\n`);
  };
  if (root.byWorkload === true) {
    for (const of of workloadTypes) {
      const as = `${pascal(of)}${name}`;
      const members = [...membersOf(type, { types, written, of, omitted: root.omitted }), root.extra ?? ''];
      const words = `A workload of the type \`${of}\`.`;
      writeInterface({ type, name: as, base, apart: apartInForm(name, as) }, words, members, written);
    }
    union(
      workloadTypes.map((of) => `${pascal(of)}${name}`),
      workloadTypes.map((of) => literals([of])),
    );
  } else if (forms[type] !== undefined) {
    writeForms({ type, name, base }, forms[type], { types, written, omitted: root.omitted });
    union(
      forms[type].map((form) => form.name),
      forms[type].map((form) => form.types?.[discriminators.get(name) ?? '']),
    );
  } else {
    write(name, about, bodyOf(type, { types, written, omitted: root.omitted }));
  }
}

interface Context {
  readonly types: Types;
  readonly written: Written;
  readonly of?: WorkloadType;
  readonly form?: Form;
  readonly omitted?: readonly string[] | undefined;
}

/** The members of an interface. Writes the types that they use too. */
function bodyOf(type: string, context: Context): string {
  return membersOf(type, context).join('');
}

function membersOf(type: string, context: Context): readonly string[] {
  const { form, omitted = [], of, types } = context;
  const object = types.get(type);
  if (object === undefined) throw new Error(`no object of the type ${type}`);
  const fields = object.fields
    .filter(({ name }) => !omitted.includes(name) && form?.omitted?.includes(name) !== true)
    .filter(({ words }) => of === undefined || words?.only === undefined || words.only.includes(of))
    .map((field) => memberText(type, field, context));
  const open = `  /** Other settings are passed on as they are. */\n  readonly [setting: string]: unknown;\n`;
  return object.isOpen ? [...fields, open] : fields;
}

interface Named {
  readonly type: string;
  readonly name: string;
  /** The interface that its interfaces extend. */
  readonly base?: string | undefined;
}

/**
 * Writes the forms of a type. Their common members are in an interface that they extend: for a union that cannot be
 * discriminated, an editor shows the documentation of a field only if it is the same one in each form.
 */
function writeForms({ type, name, base }: Named, all: readonly Form[], context: Context): void {
  const bodies = all.map((form) => ({ form, members: membersOf(type, { ...context, form }) }));
  const [first = [], ...others] = bodies.map(({ members }) => members);
  const shared = first.filter((each) => others.every((members) => members.includes(each)));
  const { written } = context;
  const above = shared.length === 0 ? base : `${name}Base`;
  if (shared.length > 0) {
    const about = `What every form of \`${name}\` has.`;
    writeInterface({ type, name: `${name}Base`, base, apart: apart[name] }, about, shared, written);
  }
  for (const { form, members } of bodies) {
    const own = members.filter((each) => !shared.includes(each));
    writeInterface(
      { type, name: form.name, base: above, apart: apartInForm(name, form.name) },
      form.about,
      own,
      written,
    );
  }
}

/** Writes one interface; two if some of its members are needed separately. */
function writeInterface(
  { type, name, base, apart: split }: Named & { readonly apart?: Apart | undefined },
  about: string,
  members: readonly string[],
  written: Written,
): void {
  const docs = comment([about, `@see platform/${allTypes[type]?.section ?? ''}`]);
  const write = (as: string, above: string | undefined, of: readonly string[]) =>
    written.set(
      as,
      `${docs}export interface ${as}${above === undefined ? '' : ` extends ${above}`} {\n${of.join('')}}\n`,
    );
  const isApart = (member: string) => split !== undefined && member.includes(`\n  readonly ${split.field}`);
  if (split !== undefined)
    write(
      split.name,
      base,
      members.filter((each) => !isApart(each)),
    );
  write(name, split?.name ?? base, split === undefined ? members : members.filter(isApart));
}

function memberText(type: string, field: Field, context: Context): string {
  const { form, of } = context;
  const { name, required, words } = field;
  const key = `${type}.${name}`;
  if (form?.absent?.includes(name) === true) return absentText(name, excludersOf(form));
  const own = form?.types?.[name] ?? (of === undefined ? undefined : typeForWorkload(key, of)) ?? generics[key];
  if (own !== undefined) for (const one of namesIn(own)) writeNamed(one, context);
  const inner = () => nameOf(words?.type ?? '', context);
  const text = own === undefined || own.startsWith('readonly [') ? typeText(field.node, inner) : own;
  const list = own?.startsWith('readonly [') === true ? own : nonEmpty.has(key) ? nonEmptyList(text) : text;
  const shown = words?.type === 'EnvVariable' ? `${list} | EnvRecord` : list;
  const isRequired =
    required || form?.required?.includes(name) === true || (of !== undefined && isRequiredFor(key, of));
  return fieldText(field, shown, isRequired);
}

const nonEmpty: ReadonlySet<string> = new Set(['WorkloadSpec.containers']);
const generics: Readonly<Record<string, string>> = { 'Binding.permissions': 'readonly Permission[]' };
const parameters: Readonly<Record<string, string>> = { Binding: '<Permission extends string = string>' };

function nonEmptyList(list: string): string {
  const item = list.replace(/^readonly /, '').replace(/\[\]$/, '');
  return `readonly [${item}, ...${item}[]]`;
}

/** The interface of a type in this context, which is written if necessary. */
function nameOf(type: string, context: Context): string {
  const { types, written, of } = context;
  if (of === undefined || !differs(type, types)) {
    writeType(type, type, { types, written });
    return type;
  }
  const body = (one: WorkloadType) => bodyOf(type, { types, written, of: one });
  const own = body(of);
  const first = own === body('standard') ? undefined : workloadTypes.find((one) => body(one) === own);
  const name = first === undefined ? type : `${pascal(first)}${type}`;
  writeType(name, type, { types, written, of: first ?? 'standard' });
  return name;
}

/** Whether the type, or a type inside of it, has different fields for different types of workload. */
function differs(type: string, types: Types): boolean {
  return (types.get(type)?.fields ?? []).some(({ name, words }) => {
    if (words?.only !== undefined) return true;
    const key = `${type}.${name}`;
    if (workloadTypes.some((of) => typeForWorkload(key, of) !== undefined || isRequiredFor(key, of))) return true;
    return words?.type !== undefined && differs(words.type, types);
  });
}

function writeType(name: string, type: string, context: Context): void {
  const { written } = context;
  if (written.has(name)) return;
  const { about = '', section = '' } = allTypes[type] ?? {};
  const docs = comment([about, `@see platform/${section}`]);
  written.set(name, '');
  const own = forms[type];
  if (own !== undefined) {
    writeForms({ type, name }, own, { types: context.types, written });
    written.delete(name);
    written.set(name, `${docs}export type ${name} = ${own.map((form) => form.name).join(' | ')};\n`);
    return;
  }
  if (Object.values(narrowed).some((each) => each.of === type)) {
    written.delete(name);
    writeNarrowed(type, context);
    return;
  }
  const body = bodyOf(type, context);
  written.delete(name); // it follows the types that it uses
  const members = `${name}${parameters[name] ?? ''}`;
  written.set(
    name,
    body === ''
      ? `${docs}export type ${name} = Readonly<Record<string, never>>;\n`
      : `${docs}export interface ${members} {\n${body}}\n`,
  );
}

/** Types in the text of a type that are written only if they are used. */
function writeNamed(name: string, context: Context): void {
  const form = narrowed[name];
  if (form !== undefined) writeNarrowed(form.of, context);
  else if (context.types.has(name)) writeType(name, name, { types: context.types, written: context.written });
}

/** The narrower types of a type, and that type itself if it is used too. */
function writeNarrowed(type: string, { types, written }: Context): void {
  const all = Object.values(narrowed).filter(({ of }) => of === type);
  if (all.every(({ name }) => written.has(name))) return;
  const whole = all.some(({ isAlone }) => isAlone) ? [] : [{ name: type, about: allTypes[type]?.about ?? '' }];
  writeForms({ type, name: type }, [...whole, ...all], { types, written });
}

function namesIn(text: string): readonly string[] {
  return text.match(/\b[A-Z]\w+/g) ?? [];
}

function secretKeysText(): string {
  const members = Object.entries(readableKeys).map(
    ([type, keys]) =>
      `  readonly '${type}': ${keys === 'any' ? 'string' : keys.length === 0 ? 'never' : literals(keys)};`,
  );
  return `/** The keys of a secret that can be read one by one, by its type.\n * @see platform/secret.keys\n */\nexport interface SecretKeys {\n${members.join('\n')}\n}\n`;
}

/** An org may have others too: any text is accepted, and an editor suggests these. */
function locationsText(): string {
  return `/** The locations that every org has.\n * @see platform/location\n */\nexport type LocationName = ${literals(builtInNames('location'))};\n`;
}

/** A field of an interface, with its documentation. */
function fieldText(field: Field, type: string, isRequired: boolean): string {
  const name = /^[A-Za-z_]\w*$/.test(field.name) ? field.name : `'${field.name}'`;
  const value = isRequired ? type : `${type} | undefined`;
  return `${comment(docsOf(field), '  ')}  readonly ${name}${isRequired ? '' : '?'}: ${value};\n`;
}

/** A field that only other forms of a type may have. */
function absentText(name: string, beside: readonly string[]): string {
  const others = beside.map((other) => `\`${other}\``).join(' or ');
  return `${comment([`Not beside ${others}.`], '  ')}  readonly ${name}?: undefined;\n`;
}

function docsOf(field: Field): readonly string[] {
  const { words, facts, section } = field;
  const { only: _only, ...said } = words ?? { words: '' };
  const text = descriptionOf(said);
  const more = [
    boundsOf(field.node),
    facts.immutable === true && !text.includes('cannot be changed') ? 'It cannot be changed.' : '',
  ];
  const shown = [text, ...more].filter((part) => part !== '').join(' ');
  const value = defaultOf(field);
  return compact([
    ...shown.split('\n'),
    '',
    said.deprecated === true ? `@deprecated ${said.words}` : undefined,
    value === undefined ? undefined : `@default ${value}`,
    `@see platform/${section}`,
  ]);
}

function defaultOf({ facts, isVarying }: Field): string | undefined {
  if (isVarying) return undefined;
  if (facts.fill === 'service') return 'chosen by the platform';
  return facts.default === undefined ? undefined : JSON.stringify(facts.default);
}
