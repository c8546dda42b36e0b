import { expect, test } from 'vitest';
import { compareSchemas, comparisonTable } from '../../../scripts/terraformSchemas.ts';
import { At } from '../../../src/base/form/read.ts';
import { schemaJson } from '../../../src/hcl/configuration/schemaJson.ts';
import { namesReader } from '../../../src/hcl/migration/names.ts';
import { providerSchema } from '../../../src/hcl/schema/providerSchema.ts';

const names = (given: object) => namesReader.read(Object(given), new At());

test('lists attributes of the other provider that are missing here or have another form', () => {
  const string = { type: 'string', optional: true };
  const block = {
    attributes: {
      name: string,
      labels: { type: ['map', 'string'] },
      colour: string,
      location_links: { type: ['list', 'string'] },
      tracing: { type: ['list', ['object', { sampling: 'number' }]] },
    },
    block_types: {
      env: { nesting_mode: 'list', block: { attributes: { name: string } } },
      extra: { nesting_mode: 'list', block: { attributes: { a: string } } },
    },
  };
  const printed = {
    provider_schemas: {
      'registry.example/acme/acme': {
        resource_schemas: { acme_space: { block }, acme_thing: { block: {} }, other_x: { block } },
        data_source_schemas: { acme_spaces: { block: {} } },
      },
    },
  };
  const table = names({
    prefix: 'acme',
    resources: { acme_space: { type: 'gantry_gvc', attributes: { labels: 'tags' } } },
  });
  const differences = compareSchemas(printed, table);
  expect(differences.map(({ type, path, form, here }) => [type, path, form, here])).toEqual([
    ['acme_space', 'colour', 'string', undefined],
    ['acme_space', 'env', 'blocks', 'spec.env: map'],
    ['acme_space', 'extra', 'blocks', undefined],
    ['acme_thing', '', 'type', undefined],
    ['data.acme_spaces', '', 'type', undefined],
  ]);
  expect(comparisonTable(differences)).toContain('| `acme_space` | `env` | blocks | spec.env: map |\n');
});

test('the schema of this provider has no differences to itself', () => {
  const printed = JSON.parse(JSON.stringify(schemaJson(providerSchema(), 'x')));
  expect(compareSchemas(printed, names({ prefix: 'gantry' }))).toEqual([]);
});
