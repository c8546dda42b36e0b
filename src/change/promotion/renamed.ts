import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import type { EnvironmentSide, Pair } from './matchResources.ts';

/** Rewrites a record as the other environment would have it: links to what is called differently there. */
export function renamed(
  pairs: readonly Pick<Pair, 'from' | 'to'>[],
  before: Pick<EnvironmentSide, 'org' | 'gvc'>,
  after: Pick<EnvironmentSide, 'org' | 'gvc'>,
): (record: JsonObject) => JsonObject {
  const names = new Map<string, string>([[`org/${before.org}`, after.org]]);
  if (before.gvc !== undefined && after.gvc !== undefined) names.set(`gvc/${before.gvc}`, after.gvc);
  for (const { from, to } of pairs) names.set(`${from.ref.kind}/${from.ref.name}`, to.ref.name);
  const inLink = (text: string) => linkIn(text, names);
  return (record) => objectWith(record, inLink);
}

function objectWith(object: JsonObject, inLink: (text: string) => string): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) put(made, key, valueWith(value, inLink));
  return made;
}

function valueWith(value: JsonValue, inLink: (text: string) => string): JsonValue {
  if (typeof value === 'string') return inLink(value);
  if (isArray(value)) return value.map((item) => valueWith(item, inLink));
  return isObject(value) ? objectWith(value, inLink) : value;
}

/** `//gvc/shop/workload/web`, `/org/acme/location/x`, `scheme://secret/db.password`. */
function linkIn(text: string, names: ReadonlyMap<string, string>): string {
  if (!/^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z]+\/|^\/org\//.test(text)) return text;
  const parts = text.split('/');
  return parts
    .map((part, index) => {
      const kind = parts[index - 1] ?? '';
      const whole = names.get(`${kind}/${part}`);
      if (whole !== undefined) return whole;
      // A secret's key stands behind its name.
      const [name = '', ...key] = part.split('.');
      return [names.get(`${kind}/${name}`) ?? name, ...key].join('.');
    })
    .join('/');
}
