import { expect } from 'vitest';
import { parseManifestText } from '../../../src/manifest/text/parseManifestText.ts';
import { type FilledDocuments, type FillOptions, fillValues } from '../../../src/manifest/values/fillValues.ts';
import { isObject, type JsonObject } from '../../../src/schema/json/json.ts';

/** Manifests in `app.yaml`, filled with the values of the environment `prod`, which stand in `gantry.yaml`. */
export function fill(manifests: string, values: JsonObject | string, options: FillOptions = {}): FilledDocuments {
  const { documents, problems } = parseManifestText({ text: manifests, file: 'app.yaml', format: 'yaml' });
  expect(problems).toEqual([]);
  const text = typeof values === 'string' ? values : JSON.stringify(values);
  const [given] = parseManifestText({ text, file: 'gantry.yaml', format: 'yaml' }).documents;
  const { value, written = () => undefined, locate } = given ?? { value: {}, locate: undefined };
  if (!isObject(value)) throw new Error('no values');
  return fillValues(documents, { environment: 'prod', values: value, written, locate }, options);
}
