import { isArray, type JsonValue } from '../../base/json/json.ts';
import { once, onceFor } from '../../base/once.ts';
import { allTypes } from '../../kinds/allTypes.ts';
import { query } from '../../kinds/common/fields.ts';
import type { Sheet } from '../../kinds/common/sheet.ts';
import {
  boundsOf,
  type DescribedField,
  describedFields,
  describedSecretData,
  descriptionOf,
} from '../../kinds/describedFields.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { sheets } from '../../kinds/list.ts';
import { secretDataWords } from '../../kinds/secret/published.ts';
import {
  creatableKinds,
  isOfWorkload,
  isOrg,
  type KnownKind,
  readOnlyKinds,
  type WrittenKind,
  writtenKinds,
} from '../../schema/record/kinds.ts';
import { shapeAt } from '../../schema/shape/paths.ts';
import { shapeOfNode } from '../../schema/shape/shapeOfNode.ts';
import type {
  Attribute,
  AttributeFlags,
  Attributes,
  AttributeType,
  BlockSchema,
  ProviderSchema,
} from '../attribute.ts';
import { domainRoute } from './domainRoute.ts';
import { type Form, isLeaf, isSetForm, type LeafForm, type Member, type ObjectForm } from './form.ts';
import { functions } from './functions.ts';
import { choiceOf, formOf, layoutOf } from './kindLayout.ts';
import { inAttributeNames, listType, partTypes, resourceType } from './names.ts';
import {
  allTagsAttribute,
  gvcAttribute,
  hasWriteOnly,
  instructions,
  linkAttribute,
  writeOnly,
} from './ownAttributes.ts';
import { providerBlock } from './providerBlock.ts';
import { ephemeralServiceAccountKey, serviceAccountKey } from './serviceAccountKey.ts';

/** The whole provider: its block, a resource for each kind that can be created, data sources for all kinds. */
export function providerSchema(): ProviderSchema {
  const kinds: readonly KnownKind[] = [...creatableKinds, ...readOnlyKinds];
  return {
    provider: providerBlock,
    resources: {
      ...Object.fromEntries(writtenKinds.map((kind) => [resourceType(kind), resourceSchema(kind)])),
      [partTypes.key]: serviceAccountKey,
      [partTypes.route]: domainRouteSchema(),
    },
    dataSources: Object.fromEntries(
      kinds.flatMap((kind) => [
        [resourceType(kind), dataSourceSchema(kind)],
        [listType(kind), listSchema(kind)],
      ]),
    ),
    ephemeral: {
      ...Object.fromEntries(ephemeralKinds.map((kind) => [resourceType(kind), ephemeralSchema(kind)])),
      [partTypes.key]: ephemeralServiceAccountKey,
    },
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, { call: _call, ...schema }]) => [name, schema]),
    ),
  };
}

const beginsWithImport =
  'It is there before everything else, so it begins with an import block: its plan shows what the configuration changes. ' +
  'Destroying it leaves the org as it is.';

/** The attributes of a resource. */
export const resourceSchema = onceFor((kind: WrittenKind): BlockSchema => {
  const { record, lastingAnswers } = layoutOf(kind);
  const words = wordsOf(kind);
  return {
    version: 0,
    description: isOrg(kind) ? `${aboutKind(kind)} ${beginsWithImport}` : aboutKind(kind),
    attributes: {
      ...attributesOf(record, '', words, 'set'),
      ...gvcAttribute(kind),
      ...(hasWriteOnly(kind) ? writeOnlyAttributes(kind, words) : {}),
      ...instructions(kind),
      ...linkAttribute,
      ...allTagsAttribute,
      ...answeredAttributes(lastingAnswers, words),
    },
  };
});

/** The attributes of one route of a port of a domain. */
export function domainRouteSchema(): BlockSchema {
  const route = formAt(layoutOf('domain').record, ['spec', 'ports', 'routes']);
  if (route?.is !== 'object') throw new Error('a domain has no routes');
  return {
    version: 0,
    description:
      'One route of a domain that another resource, configuration or stack has. A `gantry_domain` leaves the routes of a ' +
      'port alone as long as it has none for that port itself, so declare the routes of a port in one of the two ways.',
    attributes: {
      [domainRoute.domain]: {
        type: 'string',
        required: true,
        description: 'The name of the domain. Another one replaces the resource.',
      },
      [domainRoute.domainPort]: {
        type: 'number',
        optional: true,
        computed: true,
        description: 'The port of the domain, which has to be there. Default `443`. Another one replaces the resource.',
      },
      ...attributesOf(route, 'spec.ports.*.routes.*', wordsOf('domain'), 'set'),
      [domainRoute.link]: { type: 'string', computed: true, description: 'The link to the domain.' },
    },
  };
}

/** The form at these fields, through items of lists. */
function formAt(form: Form, [field, ...rest]: readonly string[]): Form | undefined {
  if (form.is === 'list') return formAt(form.item, field === undefined ? [] : [field, ...rest]);
  if (field === undefined) return form;
  const member = form.is === 'object' ? form.members.find((each) => each.field === field) : undefined;
  return member === undefined ? undefined : formAt(member.form, rest);
}

/** The attributes of a data source that reads one record by its name. */
export const dataSourceSchema = onceFor(
  (kind: KnownKind): BlockSchema => ({
    version: 0,
    description: `${aboutKind(kind)} Reads one by its name.`,
    attributes: {
      ...readAttributes(kind),
      ...parentAttributes(kind),
      name: nameAttribute(kind),
      ...(hasWriteOnly(kind)
        ? { reveal: { type: 'bool', optional: true, description: `Reads \`${hiddenField(kind)}\` too, if permitted.` } }
        : {}),
    },
  }),
);

/** The kinds with a value that is useful to read without storing it. */
const ephemeralKinds: readonly KnownKind[] = creatableKinds.filter(hasWriteOnly);

/** The attributes of an ephemeral resource that reads one record by its name, with the value that other reads hide. */
export const ephemeralSchema = onceFor(
  (kind: KnownKind): BlockSchema => ({
    version: 0,
    description: `${aboutKind(kind)} Reads one with its \`${hiddenField(kind)}\`, for the length of a command: nothing of it is in a plan or a state (Terraform 1.10 and later).`,
    attributes: { ...readAttributes(kind), ...parentAttributes(kind), name: nameAttribute(kind) },
  }),
);

/** The attributes of a data source that lists records. */
export const listSchema = onceFor(
  (kind: KnownKind): BlockSchema => ({
    version: 0,
    description: `${aboutKind(kind)} Lists all of them${isQueried(kind) ? ', or those that a query finds' : ''}.`,
    attributes: {
      ...parentAttributes(kind),
      ...queryAttribute(kind),
      names: {
        type: ['list', 'string'],
        computed: true,
        description: 'The names of the records, in the order of `items`.',
      },
      items: {
        nesting: 'list',
        computed: true,
        description: `The records, in the order of ${isQueried(kind) ? '`query.sort` or, without it, of ' : ''}their names.`,
        attributes: { ...readAttributes(kind), ...computedOnly(parentAttributes(kind)) },
      },
    },
  }),
);

/** The form of the attribute `query` of lists. */
export const queryForm = once(() => {
  const node = query();
  const shape = shapeAt(shapeOfNode(node), ['spec']);
  const spec: unknown = Reflect.get(Reflect.get(node, 'properties'), 'spec');
  const form = shape === undefined || typeof spec !== 'object' || spec === null ? undefined : formOf(spec, shape);
  if (form?.is !== 'object') throw new Error('a query has no form');
  return form;
});

function queryAttribute(kind: KnownKind): Attributes {
  if (!isQueried(kind)) return {};
  const words = fieldsByPath(describedFields('group'));
  const attributes = attributesOf(queryForm(), 'memberQuery.spec', (path) => words.get(path), 'set');
  return {
    query: {
      nesting: 'single',
      isBlock: true,
      optional: true,
      description: 'Which records to list, and in which order; all of them, when omitted. See platform/query.terms.',
      attributes: Object.fromEntries(Object.entries(attributes).map(([name, each]) => [name, asInput(each)])),
    },
  };
}

/**
 * Whether it has a collection to query. Deployments are read with their workload; the org is the root of every path.
 */
export function isQueried(kind: KnownKind): boolean {
  return !isOfWorkload(kind) && !isOrg(kind);
}

/** An attribute of a data source that keeps its set value. */
function asInput(attribute: Attribute): Attribute {
  const { computed: _computed, ...rest } = attribute;
  if (!('attributes' in rest)) return rest;
  const inner = Object.entries(rest.attributes).map(([name, each]) => [name, asInput(each)] as const);
  return { ...rest, attributes: Object.fromEntries(inner) };
}

function readAttributes(kind: KnownKind): Attributes {
  const { record, allAnswers } = layoutOf(kind);
  const words = wordsOf(kind);
  return {
    ...attributesOf(record, '', words, 'computed'),
    ...linkAttribute,
    ...answeredAttributes(allAnswers, words),
  };
}

function answeredAttributes(answered: readonly Member[], words: Words): Attributes {
  return Object.fromEntries(
    answered.flatMap((member) => {
      const form = {
        is: 'object',
        shape: { type: 'object', fields: new Map(), facts: {} },
        members: [member],
      } as const;
      return Object.entries(attributesOf(form, '', words, 'computed'));
    }),
  );
}

/** The attributes that name the parent of a record. */
function parentAttributes(kind: KnownKind): Attributes {
  const workload: Attributes = {
    workload: { type: 'string', required: true, description: 'The workload that it is a deployment of.' },
  };
  return { ...gvcAttribute(kind), ...(isOfWorkload(kind) ? workload : {}) };
}

function computedOnly(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { required: _required, optional: _optional, ...rest }]) => [
      name,
      { ...rest, computed: true as const },
    ]),
  );
}

function writeOnlyAttributes(kind: KnownKind, words: Words): Attributes {
  const choice = choiceOf(kind);
  if (choice === undefined) return {};
  const { shape } = layoutOf(kind).record;
  const member: Member = { ...choice, name: writeOnly.data, presence: 'optional' };
  return {
    ...attributesOf({ is: 'object', shape, members: [member] }, '', words, 'write-only'),
    [writeOnly.version]: {
      type: 'number',
      optional: true,
      description: `Required with \`${writeOnly.data}\`. Any number; another one says that \`${writeOnly.data}\` changed and is to be written.`,
    },
  };
}

const wordsOf = onceFor((kind: KnownKind): Words => {
  const fields = new Map(fieldsByPath(describedFields(kind)));
  const data = choiceOf(kind);
  if (data !== undefined) {
    const about = fields.get(data.field);
    for (const { value } of data.form.choices) {
      const path = `${data.field}.${value}`;
      const text = secretDataWords[value];
      if (about !== undefined && text !== undefined)
        fields.set(path, { ...about, node: {}, facts: {}, words: { words: text } });
      for (const field of describedSecretData(value)) fields.set(`${path}.${field.path}`, field);
    }
  }
  return (path) => fields.get(path);
});

function fieldsByPath(fields: readonly DescribedField[]): ReadonlyMap<string, DescribedField> {
  return new Map(fields.map((field) => [field.path, field]));
}

function aboutKind(kind: KnownKind): string {
  return inAttributeNames(allTypes[sheets[kind].typeName]?.about ?? '');
}

function nameAttribute(kind: KnownKind): Attribute {
  const { nameDescription = 'The name of the record.' }: Sheet = sheets[kind];
  return { type: 'string', required: true, description: nameDescription };
}

/** Whether the configuration or only the provider sets the attributes. `write-only`: never stored. */
type Mode = 'set' | 'computed' | 'write-only';

/** The description of each field, by its path with items and values as `*`; below choices, by their own path. */
type Words = (path: string) => DescribedField | undefined;

function attributesOf({ members, others }: ObjectForm, path: string, words: Words, mode: Mode): Attributes {
  const own = members.map((member): readonly [string, Attribute] => [
    member.name,
    attributeOfMember(member, path === '' ? member.field : `${path}.${member.field}`, words, mode),
  ]);
  const rest: Attribute = {
    description: 'Further settings that are passed on as they are: a JSON object (`jsonencode({…})`).',
    type: 'string',
    ...(mode === 'computed' ? { computed: true } : { optional: true }),
  };
  return Object.fromEntries(others === undefined ? own : [...own, [others, rest]]);
}

function attributeOfMember(member: Member, path: string, words: Words, mode: Mode): Attribute {
  const { form, presence } = member;
  const field = words(path);
  return flagged(valueOfForm(form, path, words, mode), {
    ...presenceOf(presence, mode),
    description: member.about ?? `${alternativeText(member)}${attributeText(field, form)}`,
    ...(form.shape.facts.sensitive === true ? { sensitive: true } : {}),
    ...(mode === 'write-only' ? { writeOnly: true } : {}),
    ...(field?.words?.deprecated === true ? { deprecated: field.words.words } : {}),
  });
}

/** A block itself is neither computed, sensitive nor write-only, only its content. */
function flagged(value: ValueOfAttribute, flags: AttributeFlags): Attribute {
  if (!('isBlock' in value)) return { ...value, ...flags };
  const { computed: _computed, sensitive, writeOnly: _writeOnly, ...rest } = flags;
  return { ...value, ...rest, attributes: sensitive === true ? sensitiveInside(value.attributes) : value.attributes };
}

function sensitiveInside(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, each]): readonly [string, Attribute] => [
      name,
      'isBlock' in each ? { ...each, attributes: sensitiveInside(each.attributes) } : { ...each, sensitive: true },
    ]),
  );
}

function presenceOf(
  presence: Member['presence'],
  mode: Mode,
): { readonly required?: true; readonly optional?: true; readonly computed?: true } {
  if (mode === 'computed' || presence === 'answered') return { computed: true };
  if (presence === 'required') return { required: true };
  return presence === 'filled' && mode === 'set' ? { optional: true, computed: true } : { optional: true };
}

function alternativeText({ isAlternative, form }: Member): string {
  if (isAlternative !== true) return '';
  const what = { text: 'a text', number: 'a number', bool: 'true or false', json: 'an object' };
  return isLeaf(form) ? `As ${what[form.is]}. ` : '';
}

type ValueOfAttribute =
  | { readonly type: AttributeType }
  | { readonly nesting: 'single' | 'list' | 'map'; readonly attributes: Attributes; readonly isBlock?: true };

function valueOfForm(form: Form, path: string, words: Words, mode: Mode): ValueOfAttribute {
  const block: { readonly isBlock?: true } = mode === 'computed' ? {} : { isBlock: true };
  switch (form.is) {
    case 'object':
      return { nesting: 'single', attributes: attributesOf(form, path, words, mode), ...block };
    case 'list':
      return isLeaf(form.item)
        ? { type: [isSetForm(form) ? 'set' : 'list', typeOf(form.item)] }
        : { nesting: 'list', attributes: attributesOf(form.item, `${path}.*`, words, mode), ...block };
    case 'entries':
      return { type: ['map', typeOf(form.value)] };
    case 'map':
      return isLeaf(form.value)
        ? { type: ['map', typeOf(form.value)] }
        : { nesting: 'map', attributes: attributesOf(form.value, `${path}.*`, words, mode), ...block };
    case 'choice': {
      const attributes = form.choices.map(({ value, name, form: inner }): readonly [string, Attribute] => [
        name,
        flagged(valueOfForm(inner, `${path}.${value}`, words, mode), {
          ...presenceOf('optional', mode),
          description: `For the ${form.by} \`${value}\`. ${attributeText(words(`${path}.${value}`), inner)}`.trimEnd(),
          ...(inner.shape.facts.sensitive === true ? { sensitive: true } : {}),
          ...(mode === 'write-only' ? { writeOnly: true } : {}),
        }),
      ]);
      return { nesting: 'single', attributes: Object.fromEntries(attributes), ...block };
    }
    default:
      return { type: typeOf(form) };
  }
}

function typeOf({ is }: LeafForm): 'string' | 'number' | 'bool' {
  return is === 'number' || is === 'bool' ? is : 'string';
}

/** The description of one attribute, in Markdown: meaning, unit, allowed values, bounds, default, section. */
function attributeText(field: DescribedField | undefined, form: Form): string {
  if (field === undefined) return form.is === 'json' ? 'JSON text.' : '';
  const { node, facts, words, section } = field;
  const text = inAttributeNames(descriptionOf(words), new Set(isArray(node['enum']) ? node['enum'] : []));
  return [
    text,
    form.is === 'json' ? 'JSON text, compared by meaning (`jsonencode(…)`).' : '',
    allowedOf(node['enum'], facts.extensions),
    boundsOf(node),
    facts.immutable === true && !text.includes('cannot be changed') ? 'Another value replaces the resource.' : '',
    defaultOf(field),
    section === '' ? '' : `See platform/${section}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function allowedOf(values: JsonValue | undefined, extensions: readonly string[] = []): string {
  if (!isArray(values) || values.length < 2) return '';
  const named = values.map(String).map((value) => `\`${value}\`${extensions.includes(value) ? ' (an extension)' : ''}`);
  return `One of ${named.join(', ')}.`;
}

function defaultOf({ facts }: DescribedField): string {
  if (facts.fill === 'service') return 'Chosen by the platform, when omitted.';
  if (facts.fill === 'operational') return `Default \`${JSON.stringify(facts.default)}\`; operators may switch it.`;
  if (facts.derive !== undefined) return 'Follows from other attributes, when omitted.';
  const { default: value } = facts;
  if (value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return '';
  return `Default \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
}
