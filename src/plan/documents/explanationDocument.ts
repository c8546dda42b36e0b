import type { JsonObject } from '../../schema/json/json.ts';
import { type Explanation, explanationForm } from '../explain/explanation.ts';
import { choice, object } from '../model/form.ts';

const form = object({ formatVersion: choice(1), ...explanationForm.members });

/** The explanation as `gantry explain -o json` prints it. Keys are in a fixed order. */
export function explanationToJson(explanation: Explanation): JsonObject {
  return form.write({ ...explanation, formatVersion: 1 });
}

/** The JSON Schema of `gantry explain -o json`; `gantry schema explanation` prints it. */
export const explanationSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/explanation.json',
  title: 'Gantry explanation of one resource, format 1',
  ...form.schema,
};
