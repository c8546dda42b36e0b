import { isObject, type JsonObject, listAt, own, stringAt } from '../../base/json/json.ts';

/** The target of the first link of a record, or of a list, with this `rel`. */
export function hrefOf(record: JsonObject, rel: string): string | undefined {
  const link = listAt(record, 'links')
    .filter(isObject)
    .find((each) => own(each, 'rel') === rel);
  return link && stringAt(link, 'href');
}
