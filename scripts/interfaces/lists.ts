import { own } from '../../src/base/json/json.ts';
import { compact, present } from '../../src/base/json/present.ts';
import type { Sheets } from '../../src/kinds/common/sheet.ts';
import { type DescribedField, describedFields, descriptionOf, innermost } from '../../src/kinds/describedFields.ts';
import { runs } from '../../src/kinds/kindFacts.ts';
import { aKind } from '../../src/kinds/kindWords.ts';
import { sheets } from '../../src/kinds/list.ts';
import { factsKeyword } from '../../src/schema/facts/define.ts';
import type { FieldFacts } from '../../src/schema/facts/fieldFacts.ts';
import { type CreatableKind, creatableKinds } from '../../src/schema/record/kinds.ts';
import { comment } from './typeText.ts';

/** A list to which items can be added after its construct was created. */
interface AddedList {
  readonly field: DescribedField;
  /** As in method names, such as `Container`. */
  readonly name: string;
  /** The list whose items contain this one. */
  readonly around?: AddedList;
}

/** Lists whose name does not imply that of an item. */
const names: Readonly<Record<string, string>> = { env: 'Environment', localOptions: 'LocalOptions' };

/** The option that names the item of the outer list, if that differs from its name. */
const optionNames: Readonly<Record<string, string>> = { ports: 'on' };

/** A list that has another name in the props, and the conversion of its items to those of the record. */
const fromProps: Readonly<Record<string, { readonly prop: string; readonly convert: string }>> = {
  'spec.containers': { prop: 'containers', convert: 'withEnvironment' },
  'spec.staticPlacement.locationLinks': { prop: 'locations', convert: 'locationLink' },
};

/** The type parameter of a class, by the field that distinguishes its props. */
const parameters: Readonly<Record<string, string>> = {
  type: 'Type extends WorkloadType',
  targetKind: 'Target extends TargetKind',
};

/** Lists of the record of objects or links in which each item is independent; and such lists inside of their items. */
function listsOf(kind: CreatableKind): readonly AddedList[] {
  const found: AddedList[] = [];
  for (const field of describedFields(kind)) {
    if (!isOfItems(field)) continue;
    const own = field.path.replace(/^spec\./, '');
    const around = found.find(
      (list) => list.around === undefined && field.path === `${list.field.path}.*.${field.name}`,
    );
    if (around !== undefined && around.field.facts.list?.class !== 'keyed') continue;
    if (around === undefined && own !== field.name && fromProps[field.path] === undefined) continue;
    found.push({ field, name: names[field.name] ?? singular(field.name), ...present({ around }) });
  }
  return found;
}

function isOfItems({ facts, node, path, words }: DescribedField): boolean {
  const { byContent, list, responseOnly } = facts;
  if (list === undefined || responseOnly === true || (list.class === 'sequence' && byContent !== true)) return false;
  const item: FieldFacts = Object(own(innermost(node, path).node, factsKeyword));
  return words?.type !== undefined || item.link !== undefined;
}

/** `memberLinks` becomes Member. */
function singular(field: string): string {
  const name = field.replace(/Links$/, 's').replace(/s$/, '');
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function lower(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}

const head = (
  props: readonly string[],
) => `// Generated from the schema by scripts/generate.ts. The words are in src/kinds/*/published.ts.

import { GrantableResource } from '../grantable.ts';
import { Origin } from '../origin.ts';
import { type EnvRecord, environmentText, withEnvironment } from '../environment.ts';
import { locationLink } from '../linkable.ts';
import type { TargetKind } from '../../src/kinds/kindFacts.ts';
import type { WorkloadType } from '../../src/schema/facts/workloadTypes.ts';
import type { ${props.join(', ')} } from '../../generated/interfaces/props.ts';

/** One item of a list of some props. */
type ItemOf<Of, Field extends string> = Of extends { readonly [Name in Field]?: infer List }
  ? ItemIn<List>
  : never;
type ItemIn<List> = List extends readonly (infer Item)[] ? Item : never;
`;

/** A class for each kind with such lists, as the base of the kind's construct: the text of a TypeScript module. */
export function listsText(): string {
  const props = creatableKinds.filter(hasLists).map((kind) => ownerOf(kind).props.replace(/\[.*/, ''));
  return [head(props), ...creatableKinds.flatMap(classesOf)].join('\n');
}

/** Whether the construct has a class in this module to extend. */
export function hasLists(kind: CreatableKind): boolean {
  return listsOf(kind).length > 0;
}

function ownerOf(kind: CreatableKind): Owner {
  const { className, discriminator = '' }: Sheets[typeof kind] = sheets[kind];
  const parameter = parameters[discriminator] ?? '';
  const props = parameter === '' ? `${className}Props` : `${className}Fields[${argumentOf(parameter)}]`;
  return { name: `${className}Lists`, parameter, props };
}

function classesOf(kind: CreatableKind): readonly string[] {
  const lists = listsOf(kind);
  if (lists.length === 0) return [];
  const own = ownerOf(kind);
  const { parameter } = own;
  const handles = lists.filter((list) => lists.some(({ around }) => around === list));
  const methods = lists.map((list) => methodText(kind, list, own, handles.includes(list)));
  const parameterText = parameter === '' ? '' : `<${parameter}>`;
  return [
    `${comment([`Additions to the lists of ${aKind(kind)} after it was made, until the stack is synthesized.`])}export abstract class ${own.name}${parameterText} extends GrantableResource<'${kind}'> {\n${methods.join('\n')}}\n`,
    ...handles.map((list) => handleText(kind, list, lists, own)),
  ];
}

interface Owner {
  readonly name: string;
  readonly parameter: string;
  readonly props: string;
}

/** In angle brackets. */
function argument({ parameter }: Owner): string {
  return parameter === '' ? '' : `<${argumentOf(parameter)}>`;
}

/** `Type` for `Type extends WorkloadType`. */
function argumentOf(parameter: string): string {
  return parameter.replace(/ .*/, '');
}

function handleName(kind: CreatableKind, { name }: AddedList): string {
  return `Added${runs(kind) ? '' : sheets[kind].className}${name}`;
}

/** Whether an item is a variable, which is added by name and value. */
function isVariable({ field }: AddedList): boolean {
  return field.words?.type === 'EnvVariable';
}

function itemType(list: AddedList, { props }: Owner): string {
  const { around, field } = list;
  const of = around === undefined ? props : itemType(around, { name: '', parameter: '', props });
  return `ItemOf<${of}, '${fromProps[field.path]?.prop ?? field.name}'>`;
}

function givenText(list: AddedList, owner: Owner): string {
  if (isVariable(list)) return 'name: string, value: NonNullable<EnvRecord[string]>';
  return `${lower(list.name)}: ${itemType(list, owner)}`;
}

function optionOf({ field, name }: AddedList): string {
  return optionNames[field.name] ?? lower(name);
}

/** The key field of an item, if there is exactly one. */
function keyOf({ field: { facts } }: AddedList): {
  readonly name: string;
  readonly type: string;
  readonly otherwise?: string;
} {
  const part = facts.list?.class === 'keyed' ? facts.list.key.parts[0] : undefined;
  const name = part?.fields[0] ?? '';
  const otherwise = part?.otherwise;
  return { name, type: name === 'number' ? 'number' : 'string', ...present({ otherwise }) };
}

function docsOf(list: AddedList, returns: string | undefined): readonly string[] {
  const { around, field } = list;
  const where =
    around === undefined
      ? `\`${fromProps[field.path]?.prop ?? field.name}\``
      : `\`${field.name}\` of a ${lower(around.name)}`;
  return compact([
    `Adds one to ${where}. ${descriptionOf(field.words)}`,
    returns === undefined ? undefined : `It returns what is added, for \`${returns}\`.`,
    '',
    `Errors: \`stack.duplicate\` where the list has it already${around === undefined || keyOf(around).otherwise !== undefined ? '' : `, \`stack.item\` for a ${lower(around.name)} that is not there`}.`,
    '',
    `@see platform/${field.section}`,
  ]);
}

function methodText(kind: CreatableKind, list: AddedList, owner: Owner, hasHandle: boolean): string {
  const { around, field, name } = list;
  const method = `add${name}`;
  const key = around === undefined ? undefined : keyOf(around);
  const option = around === undefined ? '' : optionOf(around);
  const fallback = key?.otherwise === undefined ? 'the first one' : key.otherwise;
  const options =
    key === undefined || around === undefined
      ? ''
      : `, { ${option}${key.otherwise === undefined ? '' : ` = ${key.otherwise}`} }: { /** The ${lower(around.name)}, by its ${key.name}. @default ${fallback} */ readonly ${option}?: ${key.type} | undefined } = {}`;
  const steps = (around?.field.path ?? field.path).split('.').map((step) => `'${step}'`);
  const made = key?.otherwise === undefined ? '' : `, made: { ${key.name}: ${option} }`;
  const place = around === undefined ? steps : [...steps, `{ at: ${option}${made} }`, `'${field.name}'`];
  const item = isVariable(list)
    ? '{ name, value: environmentText(value) }'
    : `${fromProps[field.path]?.convert ?? ''}(${lower(name)})`;
  const call = `this.addItem([${place.join(', ')}], ${item}, new Origin(this.${method}))`;
  const handle = handleName(kind, list);
  const handleKey = hasHandle ? `${lower(name)}.${keyOf(list).name}` : '';
  const ownKey = keyOf(list).otherwise === undefined ? handleKey : `${handleKey} ?? ${keyOf(list).otherwise}`;
  const result = hasHandle ? `${handle}${argument(owner)}` : 'this';
  const body = hasHandle ? `    ${call};\n    return new ${handle}(this, ${ownKey});\n` : `    return ${call};\n`;
  const adds = hasHandle ? firstAdder(kind, list) : undefined;
  return `${comment(docsOf(list, adds), '  ')}  ${method}(${givenText(list, owner)}${options}): ${result} {\n${body}  }\n`;
}

function firstAdder(kind: CreatableKind, list: AddedList): string {
  return listsOf(kind)
    .filter(({ around }) => around?.field.path === list.field.path)
    .map(({ name }) => `add${name}`)
    .join('`, `');
}

/** The handle for adding to the lists of an added item. */
function handleText(kind: CreatableKind, list: AddedList, lists: readonly AddedList[], owner: Owner): string {
  const key = keyOf(list);
  const option = optionOf(list);
  const inner = lists.filter(({ around }) => around === list);
  const methods = inner.map((each) => {
    const given = isVariable(each) ? 'name, value' : lower(each.name);
    return `${comment(docsOf({ ...each, around: list }, undefined), '  ')}  add${each.name}(${givenText(each, owner)}): this {
    this.#owner.add${each.name}(${given}, { ${option}: this.${key.name} });
    return this;
  }
`;
  });
  const parameter = owner.parameter === '' ? '' : `<${owner.parameter}>`;
  return `${comment([`A ${lower(list.name)} that was added to ${aKind(kind)}.`])}export class ${handleName(kind, list)}${parameter} {
  readonly ${key.name}: ${key.type};
  readonly #owner: ${owner.name}${argument(owner)};

  constructor(owner: ${owner.name}${argument(owner)}, ${key.name}: ${key.type}) {
    this.#owner = owner;
    this.${key.name} = ${key.name};
  }

${methods.join('\n')}}
`;
}
