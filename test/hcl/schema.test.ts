import { describe, expect, test } from 'vitest';
import { type Attribute, type Attributes, type BlockSchema, isBlock } from '../../src/hcl/attribute.ts';
import type { Form, Member } from '../../src/hcl/schema/form.ts';
import { layoutOf } from '../../src/hcl/schema/kindLayout.ts';
import {
  attributeName,
  kindOfType,
  listType,
  partTypes,
  reservedNames,
  resourceType,
} from '../../src/hcl/schema/names.ts';
import {
  dataSourceSchema,
  ephemeralSchema,
  listSchema,
  providerSchema,
  queryForm,
  resourceSchema,
} from '../../src/hcl/schema/providerSchema.ts';
import { type CreatableKind, creatableKinds, readOnlyKinds, writtenKinds } from '../../src/schema/record/kinds.ts';

const schema = providerSchema();
const kinds = [...creatableKinds, ...readOnlyKinds];
const blocks: readonly (readonly [string, BlockSchema])[] = [
  ['provider', schema.provider],
  ...Object.entries(schema.resources),
  ...Object.entries(schema.dataSources).map(([type, block]) => [`data ${type}`, block] as const),
];

/** Every attribute of a block, by path. */
function everyAttribute(attributes: Attributes, path = ''): readonly (readonly [string, Attribute])[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return [
      [here, attribute] as const,
      ...('attributes' in attribute ? everyAttribute(attribute.attributes, here) : []),
    ];
  });
}

/** `list(string), optional, computed`: an attribute without its description. */
function summary(attribute: Attribute): string {
  const type =
    'attributes' in attribute
      ? `${attribute.nesting} ${isBlock(attribute) ? 'block' : 'object'}`
      : typeText(attribute.type);
  const flags = ['required', 'optional', 'computed', 'sensitive', 'writeOnly'] as const;
  return [type, ...flags.filter((flag) => attribute[flag])].join(', ');
}

function typeText(type: unknown): string {
  return Array.isArray(type) ? `${type[0]}(${typeText(type[1])})` : String(type);
}

describe('types', () => {
  test.each(kinds)('%s', (kind) => {
    expect(kindOfType(resourceType(kind))).toEqual({ kind, lists: false });
    expect(kindOfType(listType(kind))).toEqual({ kind, lists: true });
  });

  test('plurals are English, and there are no other types', () => {
    expect(listType('workload')).toBe('gantry_workloads');
    expect(listType('identity')).toBe('gantry_identities');
    expect(listType('policy')).toBe('gantry_policies');
    expect(['gantry_', 'gantry_identitys', 'gantry_workloadss', 'aws_workload'].map(kindOfType)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test('the schema of a kind is made once: that of a workload takes 20 ms, and each of ten thousand resources needs it', () => {
  for (const made of [resourceSchema, dataSourceSchema, listSchema, ephemeralSchema] as const) {
    expect(made('secret')).toBe(made('secret'));
  }
  expect(queryForm()).toBe(queryForm());
});

test('names', () => {
  const names = [
    ['inboundAllowCIDR', 'inbound_allow_cidr'],
    ['capacityAI', 'capacity_ai'],
    ['capacityAIUpdateMinutes', 'capacity_ai_update_minutes'],
    ['minGrowthRateGBPerHour', 'min_growth_rate_gb_per_hour'],
    ['IPs', 'ips'],
    ['FQDN', 'fqdn'],
    ['resolverIP', 'resolver_ip'],
    ['status5xx', 'status5xx'],
    ['@type', 'type'],
    ['log_name', 'log_name'],
    ['azure-sdk', 'azure_sdk'],
    ['Version', 'version'],
  ] as const;
  for (const [field, name] of names) expect(attributeName(field)).toBe(name);
});

describe.each(blocks)('%s', (_, { attributes }) => {
  const all = everyAttribute(attributes);

  test('has names that Terraform accepts and does not reserve', () => {
    for (const [path] of all) expect(path.split('.').at(-1)).toMatch(/^[a-z][a-z0-9_]*$/);
    for (const name of Object.keys(attributes)) expect(reservedNames.has(name)).toBe(false);
  });

  test('states for each attribute who sets it, in a way that Terraform accepts', () => {
    for (const [path, { required, optional, computed, writeOnly }] of all) {
      const isSet = [required, optional].filter((flag) => flag === true).length;
      expect([path, isSet === 1 || (isSet === 0 && computed === true)]).toEqual([path, true]);
      expect([path, required === true && computed === true]).toEqual([path, false]);
      expect([path, writeOnly === true && computed === true]).toEqual([path, false]);
    }
  });

  test('describes each attribute, without names that only the schema has', () => {
    for (const [path, { description }] of all) {
      expect([path, description === '']).toEqual([path, false]);
      expect([path, /`[a-z]+[A-Z][A-Za-z]*`/.exec(description.replace(/One of [^.]*\./, ''))?.[0]]).toEqual([
        path,
        undefined,
      ]);
    }
  });
});

/** Names of attributes, one for each field, or more for a value with several types. */
function tables(members: readonly Member[], path = ''): readonly (readonly [string, readonly string[]])[] {
  const inner = (form: Form, at: string): readonly (readonly [string, readonly string[]])[] => {
    switch (form.is) {
      case 'object':
        return tables(form.members, at);
      case 'list':
        return inner(form.item, `${at}[]`);
      case 'map':
        return inner(form.value, `${at}{}`);
      case 'choice':
        return form.choices.flatMap((choice) => inner(choice.form, `${at}.${choice.name}`));
      default:
        return [];
    }
  };
  return [
    [path, members.map(({ name }) => name)],
    ...members.flatMap(({ name, form }) => inner(form, path === '' ? name : `${path}.${name}`)),
  ];
}

test.each(kinds)('no two fields of %s have the same name', (kind) => {
  const { record, allAnswers } = layoutOf(kind);
  for (const [path, names] of tables([...record.members, ...allAnswers])) {
    expect([path, new Set(names).size]).toEqual([path, names.length]);
  }
});

test('only kinds with readiness have timeouts of create and update, as no other kind could keep them', () => {
  const timesOf = (kind: CreatableKind): readonly string[] =>
    everyAttribute(resourceSchema(kind).attributes)
      .map(([path]) => path)
      .filter((path) => path.startsWith('timeouts.'));
  expect(timesOf('workload')).toEqual(['timeouts.create', 'timeouts.update', 'timeouts.delete']);
  for (const kind of creatableKinds.filter((each) => each !== 'workload'))
    expect(timesOf(kind)).toEqual(['timeouts.delete']);
});

test('the schema of a resource as text', () => {
  const lines = (kind: 'secret' | 'ipset'): readonly string[] =>
    everyAttribute(resourceSchema(kind).attributes).map(([path, attribute]) => `${path}: ${summary(attribute)}`);
  expect(lines('ipset')).toEqual([
    'name: string, required',
    'description: string, optional, computed',
    'tags: map(string), optional',
    'spec: single block, optional',
    'spec.link: string, optional',
    'spec.locations: list block, optional',
    'spec.locations.name: string, required',
    'spec.locations.retention_policy: string, optional, computed',
    'protected: bool, optional, computed',
    'timeouts: single block, optional',
    'timeouts.delete: string, optional',
    'link: string, computed',
    'tags_all: map(string), computed',
    'id: string, computed',
    'created: string, computed',
    'status: single object, computed',
    'status.ip_addresses: list object, computed',
    'status.ip_addresses.name: string, computed',
    'status.ip_addresses.ip: string, computed',
    'status.ip_addresses.id: string, computed',
    'status.ip_addresses.created: string, computed',
  ]);
  expect(
    lines('secret').filter(
      (line) => /^(data|type)/.test(line) && /opaque|dictionary|docker|data(_wo)?:|type:|version/.test(line),
    ),
  ).toEqual([
    'type: string, required',
    'data: single block, optional',
    'data.opaque: single block, optional',
    'data.opaque.payload: string, required, sensitive',
    'data.opaque.encoding: string, optional, computed, sensitive',
    'data.dictionary: map(string), optional, sensitive',
    'data.docker: string, optional, sensitive',
    'data_wo: single block, optional',
    'data_wo.opaque: single block, optional',
    'data_wo.opaque.payload: string, required, sensitive, writeOnly',
    'data_wo.opaque.encoding: string, optional, sensitive, writeOnly',
    'data_wo.dictionary: map(string), optional, sensitive, writeOnly',
    'data_wo.docker: string, optional, sensitive, writeOnly',
    'data_wo_version: number, optional',
  ]);
});

test('the description of an attribute: meaning, allowed values, bounds, default, section', () => {
  const at = (kind: 'workload' | 'volumeset', path: string): string | undefined =>
    everyAttribute(resourceSchema(kind).attributes).find(([name]) => name === path)?.[1].description;
  expect(at('workload', 'spec.default_options.timeout_seconds')).toMatch(
    /1 to 3600\. Default `5`\. See platform\/workload/,
  );
  expect(at('volumeset', 'spec.file_system_type')).toMatch(
    /cannot be changed\..*One of `ext4`, `xfs`, `shared`\. Default `ext4`\./,
  );
  expect(at('workload', 'spec.default_options.autoscaling.min_scale')).toMatch(
    /Chosen by the platform, when omitted\./,
  );
  expect(at('workload', 'spec.sidecar.proxy.clusters.outlier_detection')).toMatch(/JSON text, compared by meaning/);
});

test('only values of which the schema does not know the form are JSON text: an answered time in a list is text', () => {
  const attributes = new Map(everyAttribute(dataSourceSchema('serviceaccount').attributes));
  expect(attributes.get('keys.created')?.description).toBe(
    'Time of creation, in ISO 8601. See platform/serviceaccount.keys.',
  );
});

test('every kind has its resource and its data sources, and the number of attributes is as expected', () => {
  const resources = [...writtenKinds.map(resourceType), ...Object.values(partTypes)];
  expect(Object.keys(schema.resources)).toEqual(resources);
  expect(Object.keys(schema.dataSources).sort()).toEqual(
    kinds.flatMap((kind) => [resourceType(kind), listType(kind)]).sort(),
  );
  const count = (type: string): number => everyAttribute(schema.resources[type]?.attributes ?? {}).length;
  expect(count('gantry_workload')).toBeGreaterThan(400);
});
