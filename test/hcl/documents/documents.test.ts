import { expect, test } from 'vitest';
import {
  developmentConfiguration,
  mirrorConfiguration,
  requirements,
} from '../../../src/hcl/configuration/cliConfiguration.ts';
import { schemaJson } from '../../../src/hcl/configuration/schemaJson.ts';
import { configurationText } from '../../../src/hcl/configurationText.ts';

test('a CLI configuration for a mirror: only this provider comes from it, and from no other source', () => {
  expect(mirrorConfiguration('/opt/my mirror')).toBe(`provider_installation {
  filesystem_mirror {
    path    = "/opt/my mirror"
    include = ["gantry.local/gantry/gantry"]
  }

  direct {
    exclude = ["gantry.local/gantry/gantry"]
  }
}
`);
});

test('a CLI configuration for development', () => {
  expect(developmentConfiguration('/src/dist')).toBe(`provider_installation {
  dev_overrides {
    "gantry.local/gantry/gantry" = "/src/dist"
  }

  direct {}
}
`);
});

test('a file contains its required providers, in both syntaxes', () => {
  expect(configurationText([requirements('0.1.0')], 'hcl')).toBe(`terraform {
  required_providers {
    gantry = {
      source  = "gantry.local/gantry/gantry"
      version = "~> 0.1.0"
    }
  }
}
`);
  expect(JSON.parse(configurationText([requirements('0.1.0')], 'json'))).toEqual({
    terraform: { required_providers: { gantry: { source: 'gantry.local/gantry/gantry', version: '~> 0.1.0' } } },
  });
});

test('the schema as terraform providers schema -json prints it', () => {
  const block = (attributes: Parameters<typeof schemaJson>[0]['provider']['attributes']) => ({
    version: 2,
    description: 'About.',
    attributes,
  });
  const schema = {
    provider: block({}),
    resources: {
      gantry_x: block({
        tags: { type: ['map', 'string'], optional: true, computed: true, description: 'T', deprecated: 'no' },
        ports: {
          nesting: 'list',
          required: true,
          description: 'P',
          attributes: { key: { type: 'string', description: 'K', optional: true, sensitive: true, writeOnly: true } },
        },
        spec: {
          nesting: 'single',
          isBlock: true,
          required: true,
          description: 'S',
          attributes: { route: { nesting: 'list', isBlock: true, optional: true, description: 'R', attributes: {} } },
        },
      }),
    },
    dataSources: {},
    ephemeral: {},
    functions: {},
  } as const;
  const plain = { description_kind: 'markdown' };
  expect(schemaJson(schema, 'a/b/c')).toEqual({
    format_version: '1.0',
    provider_schemas: {
      'a/b/c': {
        provider: { version: 2, block: { description: 'About.', ...plain } },
        resource_schemas: {
          gantry_x: {
            version: 2,
            block: {
              description: 'About.',
              ...plain,
              attributes: {
                tags: {
                  type: ['map', 'string'],
                  description: 'T',
                  ...plain,
                  deprecated: true,
                  optional: true,
                  computed: true,
                },
                ports: {
                  nested_type: {
                    nesting_mode: 'list',
                    attributes: {
                      key: {
                        type: 'string',
                        description: 'K',
                        ...plain,
                        optional: true,
                        sensitive: true,
                        write_only: true,
                      },
                    },
                  },
                  description: 'P',
                  ...plain,
                  required: true,
                },
              },
              block_types: {
                spec: {
                  nesting_mode: 'single',
                  min_items: 1,
                  max_items: 1,
                  block: {
                    description: 'S',
                    ...plain,
                    block_types: { route: { nesting_mode: 'list', block: { description: 'R', ...plain } } },
                  },
                },
              },
            },
          },
        },
        data_source_schemas: {},
      },
    },
  });
});
