import { query } from '../../kinds/common/fields.ts';
import type { Sheet } from '../../kinds/common/sheet.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { sheets } from '../../kinds/list.ts';
import { allTypes } from '../../kinds/published/allTypes.ts';
import { type DescribedField, describedFields, describedSecretData } from '../../kinds/published/describedFields.ts';
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
import type { Attribute, Attributes, BlockSchema, ProviderSchema } from '../attribute.ts';
import { inAttributeNames } from './attributeName.ts';
import { attributesOf, type Words } from './attributes.ts';
import { domainRoute } from './domainRoute.ts';
import type { Form, Member } from './form.ts';
import { functions } from './functions.ts';
import { choiceOf, formOf, layoutOf } from './kindLayout.ts';
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
import { listType, partTypes, resourceType } from './typeNames.ts';

/** All that the provider has: its block, a resource for each kind that can be created, data sources for all kinds. */
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
export function resourceSchema(kind: WrittenKind): BlockSchema {
  const { record, answered } = layoutOf(kind);
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
      ...answeredAttributes(answered, words),
    },
  };
}

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
export function dataSourceSchema(kind: KnownKind): BlockSchema {
  return {
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
  };
}

/** The kinds with a value that is worth reading without storing it. */
const ephemeralKinds: readonly KnownKind[] = creatableKinds.filter(hasWriteOnly);

/** The attributes of an ephemeral resource that reads one record by its name, with the value that others hide. */
export function ephemeralSchema(kind: KnownKind): BlockSchema {
  return {
    version: 0,
    description: `${aboutKind(kind)} Reads one with its \`${hiddenField(kind)}\`, for the length of a command: nothing of it is in a plan or a state (Terraform 1.10 and later).`,
    attributes: { ...readAttributes(kind), ...parentAttributes(kind), name: nameAttribute(kind) },
  };
}

/** The attributes of a data source that lists records. */
export function listSchema(kind: KnownKind): BlockSchema {
  return {
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
  };
}

/** The form of a query, as `query` of lists has it. */
export function queryForm() {
  const node = query();
  const shape = shapeAt(shapeOfNode(node), ['spec']);
  const spec: unknown = Reflect.get(Reflect.get(node, 'properties'), 'spec');
  const form = shape === undefined || typeof spec !== 'object' || spec === null ? undefined : formOf(spec, shape);
  if (form?.is !== 'object') throw new Error('a query has no form');
  return form;
}

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

/** Is there a collection to query? Deployments are read with their workload, and the org is the root of every path. */
export function isQueried(kind: KnownKind): boolean {
  return !isOfWorkload(kind) && !isOrg(kind);
}

/** An attribute of a data source that is read back as it was set. */
function asInput(attribute: Attribute): Attribute {
  const { computed: _computed, ...rest } = attribute;
  if (!('attributes' in rest)) return rest;
  const inner = Object.entries(rest.attributes).map(([name, each]) => [name, asInput(each)] as const);
  return { ...rest, attributes: Object.fromEntries(inner) };
}

function readAttributes(kind: KnownKind): Attributes {
  const { record, shown } = layoutOf(kind);
  const words = wordsOf(kind);
  return {
    ...attributesOf(record, '', words, 'computed'),
    ...linkAttribute,
    ...answeredAttributes(shown, words),
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

const words = new Map<KnownKind, Words>();

function wordsOf(kind: KnownKind): Words {
  const known = words.get(kind);
  if (known !== undefined) return known;
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
  const made: Words = (path) => fields.get(path);
  words.set(kind, made);
  return made;
}

function fieldsByPath(fields: readonly DescribedField[]): ReadonlyMap<string, DescribedField> {
  return new Map(fields.map((field) => [field.path, field]));
}

function aboutKind(kind: KnownKind): string {
  return inAttributeNames(allTypes[sheets[kind].typeName]?.about ?? '');
}

function nameAttribute(kind: KnownKind): Attribute {
  const { nameIs = 'The name of the record.' }: Sheet = sheets[kind];
  return { type: 'string', required: true, description: nameIs };
}
