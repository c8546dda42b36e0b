import { compact } from '../../src/base/json/present.ts';
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  type BlockSchema,
  type FunctionSchema,
  isBlock,
  type ResultType,
} from '../../src/hcl/attribute.ts';
import { requirements } from '../../src/hcl/configuration/cliConfiguration.ts';
import { nativeSyntax } from '../../src/hcl/configurationText.ts';
import type { ObjectExpression } from '../../src/hcl/expression.ts';
import { kindOfType, listType, partTypes, resourceType } from '../../src/hcl/schema/names.ts';
import { providerSchema } from '../../src/hcl/schema/providerSchema.ts';
import {
  creatableKinds,
  isGvcScoped,
  isWrittenKind,
  type KnownKind,
  readOnlyKinds,
  writtenKinds,
} from '../../src/schema/record/kinds.ts';
import { linkOf, refTo } from '../../src/schema/record/ref.ts';
import {
  dataExample,
  ephemeralExample,
  functionExample,
  listExample,
  partExample,
  resourceExample,
} from './examples.ts';

/** For `mock_provider`, which takes its folder. */
const mocksFile = 'mocks/gantry.tfmock.hcl';

/** The pages below `docs/terraform/`, by path, in the layout that registries show. */
export function terraformPages(version: string): ReadonlyMap<string, string> {
  const { provider, resources, dataSources, ephemeral, functions } = providerSchema();
  const kinds: readonly KnownKind[] = [...creatableKinds, ...readOnlyKinds];
  return new Map([
    ['index.md', providerPage(provider, version)],
    [mocksFile, terraformMocks()],
    ...writtenKinds.map((kind): readonly [string, string] => {
      const type = resourceType(kind);
      const { text, importId } = resourceExample(kind);
      const body = [
        example(text),
        schemaSection(schemaOf(resources, type).attributes),
        importSection(type, importId.includes('/') ? 'GVC/NAME' : 'NAME', importId),
      ];
      return [`resources/${short(type)}.md`, page(type, 'Resource', schemaOf(resources, type).description, body)];
    }),
    ...Object.values(partTypes).map((type): readonly [string, string] => {
      const { text, importId, importForm } = partExample(type);
      const { description, attributes } = schemaOf(resources, type);
      const body = [example(text), schemaSection(attributes), importSection(type, importForm, importId)];
      return [`resources/${short(type)}.md`, page(type, 'Resource', description, body)];
    }),
    ...kinds.flatMap((kind): readonly (readonly [string, string])[] => {
      const isCreatable = isWrittenKind(kind);
      const [one, many] = [resourceType(kind), listType(kind)];
      const elsewhere = (name: string): string | undefined =>
        isCreatable && resources[one]?.attributes[name] !== undefined
          ? `as in the [resource](../resources/${short(one)}.md#nestedatt--${name})`
          : undefined;
      const items = (name: string): string | undefined =>
        name === 'items' ? `each as the data source [${one}](${short(one)}.md) has it` : undefined;
      return [
        [`data-sources/${short(one)}.md`, dataPage(one, dataSources, dataExample(kind), elsewhere)],
        [`data-sources/${short(many)}.md`, dataPage(many, dataSources, listExample(kind), items)],
      ];
    }),
    ...Object.entries(ephemeral).map(([type, { description, attributes }]): readonly [string, string] => {
      const elsewhere = (name: string): string | undefined =>
        resources[type]?.attributes[name] === undefined
          ? undefined
          : `as in the [resource](../resources/${short(type)}.md#nestedatt--${name})`;
      const body = [example(ephemeralExample(type)), schemaSection(attributes, { elsewhere })];
      return [`ephemeral-resources/${short(type)}.md`, page(type, 'Ephemeral Resource', description, body)];
    }),
    ...Object.entries(functions).map(([name, schema]): readonly [string, string] => [
      `functions/${name}.md`,
      functionPage(name, schema),
    ]),
  ]);
}

function importSection(type: string, form: string, id: string): string {
  return `## Import\n\nBy \`${form}\`:\n\n\`\`\`shell\nterraform import ${type}.example ${id}\n\`\`\``;
}

type Schemas = { readonly [type: string]: BlockSchema };

function dataPage(
  type: string,
  schemas: Schemas,
  text: string,
  elsewhere: (name: string) => string | undefined,
): string {
  const { description, attributes } = schemaOf(schemas, type);
  return page(type, 'Data Source', description, [example(text), schemaSection(attributes, { elsewhere })]);
}

function providerPage({ description, attributes }: BlockSchema, version: string): string {
  const block = {
    type: 'provider',
    labels: ['gantry'],
    attributes: [['org', 'acme'] as const, ['gvc', 'shop'] as const],
  };
  const text = nativeSyntax([requirements(version), block]);
  const about = `${description} How to begin, and how to move: [Terraform and OpenTofu](../terraform.md).`;
  return page('gantry', 'Provider', about, [example(text), schemaSection(attributes)]);
}

function functionPage(name: string, { description, parameters, variadic, returns }: FunctionSchema): string {
  const given = compact([
    ...parameters.map((each) => `${each.name} ${hclType(each.type)}`),
    variadic === undefined ? undefined : `${variadic.name} ${hclType(variadic.type)}...`,
  ]);
  const args = compact([...parameters, variadic]).map(
    (each, index) =>
      `${index + 1}. \`${each.name}\` (${typeName(each.type)}${each === variadic ? ', Variadic' : ''}) ${each.description}`,
  );
  return page(name, 'Function', description, [
    example(functionExample(name)),
    `## Signature\n\n\`\`\`text\n${name}(${given.join(', ')}) ${hclType(returns)}\n\`\`\``,
    `## Arguments\n\n${args.join('\n')}`,
  ]);
}

/** The type in the syntax of a configuration. */
function hclType(type: ResultType): string {
  if (typeof type === 'string') return type;
  if (type[0] !== 'object') return `${type[0]}(${hclType(type[1])})`;
  return `object({ ${Object.entries(type[1])
    .map(([name, member]) => `${name} = ${hclType(member)}`)
    .join(', ')} })`;
}

function page(title: string, what: string, description: string, body: readonly string[]): string {
  const head = [
    '---',
    `page_title: "${title} ${what}${what === 'Provider' ? '' : ' - gantry'}"`,
    'description: |-',
    `  ${description}`,
    '---',
  ].join('\n');
  const generated = '<!-- generated: npm run reference -- --write -->';
  return `${[head, generated, `# ${title} (${what})`, description, ...body].join('\n\n')}\n`;
}

function example(text: string): string {
  return `## Example Usage\n\n\`\`\`terraform\n${text}\`\`\``;
}

function schemaOf(schemas: Schemas, type: string): BlockSchema {
  const schema = schemas[type];
  if (schema === undefined) throw new Error(`the provider has no ${type}`);
  return schema;
}

function short(type: string): string {
  return type.replace(/^gantry_/, '');
}

/** The depth to which nested attributes are listed. `elsewhere`: the page that has them. */
interface Nested {
  readonly elsewhere?: (name: string) => string | undefined;
}

const parts = [
  { title: 'Required', has: ({ required }: Attribute) => required === true },
  { title: 'Optional', has: ({ optional }: Attribute) => optional === true },
  {
    title: 'Read-Only',
    has: ({ required, optional }: Attribute) => required !== true && optional !== true,
  },
] as const;

/** The attributes of a block in the public registry's layout: in three lists, nested ones in separate sections. */
function schemaSection(attributes: Attributes, nested: Nested = {}): string {
  return ['## Schema', ...lists(attributes, [], '###', nested), ...sections(attributes, [], nested)].join('\n\n');
}

function lists(attributes: Attributes, path: readonly string[], heading: string, nested: Nested): readonly string[] {
  return parts.flatMap(({ title, has }) => {
    const those = Object.entries(attributes).filter(([, attribute]) => has(attribute));
    if (those.length === 0) return [];
    const lines = those
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, attribute]) => line([...path, name], attribute, nested));
    return [heading === '' ? `${title}:` : `${heading} ${title}`, lines.join('\n')];
  });
}

function line(path: readonly string[], attribute: Attribute, nested: Nested): string {
  const name = path.at(-1) ?? '';
  const { description, sensitive, writeOnly, deprecated } = attribute;
  const flags = compact([
    typeText(attribute),
    deprecated === undefined ? undefined : 'Deprecated',
    sensitive === true ? 'Sensitive' : undefined,
    writeOnly === true ? 'Write-only' : undefined,
  ]);
  const words = description === '' ? '' : ` ${description}`;
  return `- \`${name}\` (${flags.join(', ')})${words}${below(path, attribute, nested)}`;
}

function below(path: readonly string[], attribute: Attribute, { elsewhere }: Nested): string {
  if (!('attributes' in attribute)) return '';
  const there = path.length === 1 ? elsewhere?.(path[0] ?? '') : undefined;
  return there === undefined ? ` (see [below for nested schema](#${anchor(path)}))` : ` (${there})`;
}

function sections(attributes: Attributes, path: readonly string[], nested: Nested): readonly string[] {
  return Object.entries(attributes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, attribute]) => {
      const here = [...path, name];
      if (!('attributes' in attribute)) return [];
      if (path.length === 0 && nested.elsewhere?.(name) !== undefined) return [];
      return [
        `<a id="${anchor(here)}"></a>\n### Nested Schema for \`${here.join('.')}\``,
        ...lists(attribute.attributes, here, '', nested),
        ...sections(attribute.attributes, here, nested),
      ];
    });
}

function anchor(path: readonly string[]): string {
  return `nestedatt--${path.join('--')}`;
}

function typeText(attribute: Attribute): string {
  if ('type' in attribute) return typeName(attribute.type);
  const { nesting, required } = attribute;
  if (!isBlock(attribute)) {
    return { single: 'Attributes', list: 'Attributes List', set: 'Attributes Set', map: 'Attributes Map' }[nesting];
  }
  const most = nesting === 'single' ? ', Max: 1' : '';
  const count = required === true ? `, Min: 1${most}` : most;
  return `Block${{ single: '', list: ' List', set: ' Set', map: ' Map' }[nesting]}${count}`;
}

function typeName(type: AttributeType): string {
  if (typeof type !== 'string') {
    const [collection, item] = type;
    return `${collection.slice(0, 1).toUpperCase()}${collection.slice(1)} of ${typeName(item)}`;
  }
  const names = { string: 'String', number: 'Number', bool: 'Boolean', dynamic: 'Dynamic' };
  return names[type];
}

/**
 * Values for attributes that only the platform sets, for `mock_provider` of `terraform test`: Terraform's own mock
 * values have eight random letters, which is neither a link nor an address.
 */
function terraformMocks(): string {
  const { resources, dataSources } = providerSchema();
  const mocks = (block: string, types: typeof resources) =>
    Object.entries(types).flatMap(([type, { attributes }]) => {
      const { kind, lists } = kindOfType(type) ?? {};
      if (kind === undefined || lists === true) return [];
      const link = linkOf(refTo(kind, 'mock', isGvcScoped(kind) ? 'mock' : undefined), 'mock');
      return [{ type: block, labels: [type], attributes: [['defaults', defaultsOf(attributes, link)] as const] }];
    });
  return nativeSyntax([...mocks('mock_resource', resources), ...mocks('mock_data', dataSources)]);
}

function defaultsOf(attributes: Attributes, link: string): ObjectExpression {
  const known: ObjectExpression = {
    id: '00000000-0000-4000-8000-000000000000',
    link,
    created: '2026-01-01T00:00:00Z',
    last_modified: '2026-01-01T00:00:00Z',
    version: 1,
    tags_all: {},
    protected: false,
  };
  const own = Object.entries(known).filter(([name]) => attributes[name]?.computed === true);
  const status = attributes['status'];
  const addresses =
    status !== undefined && 'attributes' in status
      ? Object.keys(status.attributes).filter((name) => /^(canonical_)?endpoint$/.test(name))
      : [];
  return {
    ...Object.fromEntries(own),
    ...(addresses.length === 0
      ? {}
      : { status: Object.fromEntries(addresses.map((name) => [name, 'https://mock.example.com'])) }),
  };
}
