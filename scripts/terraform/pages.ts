import type { BlockSchema } from '../../src/hcl/attribute.ts';
import { requirements } from '../../src/hcl/configuration/requirements.ts';
import { nativeSyntax } from '../../src/hcl/nativeSyntax.ts';
import { providerSchema } from '../../src/hcl/schema/providerSchema.ts';
import { listType, resourceType } from '../../src/hcl/schema/typeNames.ts';
import { creatableKinds, type KnownKind, readOnlyKinds } from '../../src/schema/record/kinds.ts';
import { schemaSection } from './attributeList.ts';
import { dataExample, listExample, resourceExample } from './examples.ts';

/** The pages below `docs/terraform/`, by their path: in the layout that registries show. */
export function terraformPages(version: string): ReadonlyMap<string, string> {
  const { provider, resources, dataSources } = providerSchema();
  const kinds: readonly KnownKind[] = [...creatableKinds, ...readOnlyKinds];
  return new Map([
    ['index.md', providerPage(provider, version)],
    ...creatableKinds.map((kind): readonly [string, string] => {
      const type = resourceType(kind);
      const { text, importId } = resourceExample(kind);
      const body = [
        example(text),
        schemaSection(schemaOf(resources, type).attributes),
        `## Import\n\nBy \`${importId.includes('/') ? 'GVC/NAME' : 'NAME'}\`:\n\n\`\`\`shell\nterraform import ${type}.example ${importId}\n\`\`\``,
      ];
      return [`resources/${short(type)}.md`, page(type, 'Resource', schemaOf(resources, type).description, body)];
    }),
    ...kinds.flatMap((kind): readonly (readonly [string, string])[] => {
      const isCreatable = creatableKinds.some((each) => each === kind);
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
  ]);
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
