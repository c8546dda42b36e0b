import { choice, type Of, object } from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { type Explanation, explanationForm } from '../explanation.ts';

/** The output of `gantry explain -o json`. */
export const explanationDocumentForm = object({ formatVersion: choice(1), ...explanationForm.members });
export type ExplanationDocument = Of<typeof explanationDocumentForm>;

/** The explanation as `gantry explain -o json` prints it. Keys are in a fixed order. */
export function explanationToJson(explanation: Explanation): JsonObject {
  return explanationDocumentForm.write({ ...explanation, formatVersion: 1 });
}

/** The JSON Schema of `gantry explain -o json`; `gantry schema explanation` prints it. */
export const explanationSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/explanation.json',
  title: 'Gantry explanation of one resource, format 1',
  ...explanationDocumentForm.schema,
};
