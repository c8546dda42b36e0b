import { isArray, isObject, type JsonValue, listAt, own } from '../base/json/json.ts';
import { documentInside, type ManifestDocument } from './model/manifest.ts';

/**
 * One document for each resource: arrays, and the results of `get -o yaml` and queries (`kind: list`, `kind:
 * queryresult`), are split, even nested ones; empty documents are skipped.
 */
export function flatten(documents: readonly ManifestDocument[]): readonly ManifestDocument[] {
  const flat: ManifestDocument[] = [];
  for (const document of documents) add(document, flat);
  return flat;
}

function add(document: ManifestDocument, flat: ManifestDocument[]): void {
  const { value } = document;
  if (value === null) return;
  if (isArray(value)) {
    for (const [index, item] of value.entries()) add(documentInside(document, [index], item), flat);
  } else if (isListRecord(value)) {
    for (const [index, item] of listAt(value, 'items').entries()) {
      add(documentInside(document, ['items', index], item), flat);
    }
  } else {
    flat.push(document);
  }
}

function isListRecord(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  if (!isObject(value)) return false;
  const kind = own(value, 'kind');
  return (kind === 'list' || kind === 'queryresult') && isArray(own(value, 'items'));
}
