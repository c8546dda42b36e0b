import { expect } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { type FilledDocuments, type FillOptions, fillValues } from '../../../src/manifest/fillValues.ts';
import type { Values } from '../../../src/manifest/outsidePlaces.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';

/** Manifests in `app.yaml`, filled with the values of the environment `prod` in `gantry.yaml`. */
export function fill(manifests: string, values: JsonObject | string, options: FillOptions = {}): FilledDocuments {
  const { documents, problems } = parseManifestText({ text: manifests, file: 'app.yaml', format: 'yaml' });
  expect(problems).toEqual([]);
  return fillValues(documents, { environment: 'prod', ...given(values) }, options);
}

/** With the written forms and places. */
function given(values: JsonObject | string): Values {
  if (typeof values !== 'string') return { values, written: () => undefined, locate: undefined };
  const [document] = parseManifestText({ text: values, file: 'gantry.yaml', format: 'yaml' }).documents;
  if (!isObject(document?.value)) throw new Error('no values');
  return { values: document.value, written: document.written ?? (() => undefined), locate: document.locate };
}
