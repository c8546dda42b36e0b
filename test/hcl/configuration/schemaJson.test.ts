import { expect, test } from 'vitest';
import type { Attribute, Attributes, NestedAttribute, ProviderSchema } from '../../../src/hcl/attribute.ts';
import { schemaJson, withoutBlocks } from '../../../src/hcl/configuration/schemaJson.ts';

const text: Attribute = { type: 'string', optional: true, description: 'A text.' };
const nested = (attributes: Attributes, isBlock: boolean): NestedAttribute => ({
  ...{ nesting: 'list', optional: true, description: 'Items.', attributes },
  ...(isBlock ? { isBlock } : {}),
});

/** The same attributes in each of its parts, with or without nested blocks. */
function schema(isBlock: boolean): ProviderSchema {
  const part = {
    version: 1,
    description: 'A part.',
    attributes: { name: text, port: nested({ number: text, tls: nested({ cipher: text }, isBlock) }, isBlock) },
  };
  return { provider: part, resources: { a: part }, dataSources: { b: part }, ephemeral: {}, functions: {} };
}

test('code generators get nested attributes instead of blocks, and neither ephemeral resources nor functions', () => {
  const { provider } = schema(true);
  const link = { summary: 'A link.', description: 'It links.', parameters: [], returns: 'string' } as const;
  expect(withoutBlocks({ ...schema(true), ephemeral: { c: provider }, functions: { link } })).toEqual(schema(false));
});

/** Terraform's documentation of `terraform providers schema -json`. */
test('a schema is written as Terraform prints it, without empty members', () => {
  const markdown = { description_kind: 'markdown' };
  const string = { type: 'string', description: 'A text.', ...markdown, optional: true };
  const block = {
    attributes: { name: string },
    block_types: {
      port: {
        nesting_mode: 'list',
        block: {
          attributes: { number: string },
          block_types: {
            tls: {
              nesting_mode: 'list',
              block: { attributes: { cipher: string }, description: 'Items.', ...markdown },
            },
          },
          description: 'Items.',
          ...markdown,
        },
      },
    },
    description: 'A part.',
    ...markdown,
  };
  const items = { description: 'Items.', ...markdown, optional: true };
  const tls = { nested_type: { attributes: { cipher: string }, nesting_mode: 'list' }, ...items };
  const port = { nested_type: { attributes: { number: string, tls }, nesting_mode: 'list' }, ...items };
  const empty = { version: 0, description: 'Nothing.', attributes: {} };
  const key = { name: 'key', type: 'string', description: 'A key.' } as const;
  const join = {
    summary: 'Joins.',
    description: 'It joins.',
    parameters: [key],
    variadic: { ...key, name: 'more' },
    returns: 'string',
  } as const;
  const { variadic, parameters, returns, ...words } = join;
  const written = schemaJson(
    {
      ...schema(true),
      provider: empty,
      dataSources: schema(false).dataSources,
      ephemeral: { c: empty },
      functions: { join, one: { ...words, parameters, returns } },
    },
    'acme/acme',
  );
  const nothing = { version: 0, block: { description: 'Nothing.', ...markdown } };
  const one = { ...words, return_type: 'string', parameters };
  expect(written).toEqual({
    format_version: '1.0',
    provider_schemas: {
      'acme/acme': {
        provider: nothing,
        resource_schemas: { a: { version: 1, block } },
        data_source_schemas: {
          b: { version: 1, block: { attributes: { name: string, port }, description: 'A part.', ...markdown } },
        },
        ephemeral_resource_schemas: { c: nothing },
        functions: { join: { ...one, variadic_parameter: variadic }, one },
      },
    },
  });
  expect(schemaJson(schema(true), 'acme/acme')['provider_schemas']).toEqual({
    'acme/acme': {
      provider: { version: 1, block },
      resource_schemas: { a: { version: 1, block } },
      data_source_schemas: { b: { version: 1, block } },
    },
  });
});
