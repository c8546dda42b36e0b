import type { JsonObject } from '../../schema/json/json.ts';

/** The JSON Schema that `gantry schema NAME` prints for a form. */
export function publishedForm(name: string, title: string, form: { readonly schema: JsonObject }): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `gantry/${name}.json`,
    title,
    ...form.schema,
  };
}
