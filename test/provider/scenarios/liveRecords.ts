import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  mapMembers,
  objectAt,
  stringAt,
} from '../../../src/base/json/json.ts';
import { type Form, isSetForm } from '../../../src/hcl/schema/form.ts';
import { layoutOf } from '../../../src/hcl/schema/kindLayout.ts';
import { hiddenField } from '../../../src/kinds/kindFacts.ts';
import { type CreatableKind, creatableKinds, isGvcScoped, knownKind } from '../../../src/schema/record/kinds.ts';
import { collectionPath } from '../../../src/schema/record/ref.ts';
import type { Platform } from '../../e2e/harness/platform.ts';

const org = 'local';
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * Everything that clients can have made, as text by path, with secret values. Ids and aliases are named by their owner;
 * times and tags of Gantry are left out. Members of objects are sorted, and so is what Terraform treats as a set or a
 * map, which it sends sorted. Everything else is exactly as on the platform.
 */
export async function liveRecords(platform: Platform): Promise<Readonly<Record<string, string>>> {
  const ofOrg = await all(
    platform,
    creatableKinds.filter((kind) => !isGvcScoped(kind)),
  );
  const gvcs = [...ofOrg.keys()].filter((path) => path.startsWith(`/org/${org}/gvc/`)).map(lastOf);
  const inGvcs = await Promise.all(gvcs.map((gvc) => all(platform, creatableKinds.filter(isGvcScoped), gvc)));
  const records = new Map([ofOrg, ...inGvcs].flatMap((found) => [...found]));
  const ids = [...records].flatMap(([path, record]) =>
    ['id', 'alias'].flatMap((name) => {
      const value = stringAt(record, name);
      return value === undefined ? [] : [[value, `${name} of ${path}`] as const];
    }),
  );
  return Object.fromEntries(
    [...records]
      .sort()
      .map(([path, record]) => [path, withoutIds(JSON.stringify(withoutOwnTags(ordered(record)), sorted, 1), ids)]),
  );
}

async function all(
  platform: Platform,
  kinds: readonly CreatableKind[],
  gvc?: string,
): Promise<ReadonlyMap<string, JsonObject>> {
  const found = new Map<string, JsonObject>();
  for (const kind of kinds) {
    const path = collectionPath(kind, org, gvc);
    const { body } = await platform.call('GET', path);
    for (const item of listAt(body, 'items').filter(isObject)) {
      if (stringAt(item, 'origin') === 'builtin') continue;
      const own = `${path}/${stringAt(item, 'name') ?? ''}`;
      found.set(own, hiddenField(kind) === undefined ? item : (await platform.call('GET', `${own}/-reveal`)).body);
    }
  }
  return found;
}

function withoutIds(text: string, ids: readonly (readonly [id: string, whose: string])[]): string {
  const named = ids.reduce((left, [id, whose]) => left.replaceAll(id, whose), text.replaceAll(time, 'some time'));
  return named.replaceAll(uuid, 'some id');
}

/** Measurements of the platform, ids of its own, and the hash of a record as it is stored. */
const everDifferent = new Set(['currentBytesFree', 'currentBytesUsed', 'bindingId', 'fingerprint']);
/** Lists in the order in which the platform received the items. */
const unordered = new Set(['workloadLinks', 'locations']);

function sorted(name: string, value: JsonValue): JsonValue {
  if (everDifferent.has(name)) return typeof value;
  // Each key of a service account has a random name.
  if (name === 'keys' && isArray(value))
    return value.map((key) => (isObject(key) ? { ...key, name: 'some key' } : key));
  if (unordered.has(name) && isArray(value)) return byText(value);
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
}

function byText(list: JsonArray): JsonArray {
  return list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function ordered(record: JsonObject): JsonObject {
  const kind = knownKind(stringAt(record, 'kind') ?? '');
  const value = kind === undefined ? record : orderedIn(layoutOf(kind).record, record);
  return isObject(value) ? value : record;
}

function orderedIn(form: Form, value: JsonValue): JsonValue {
  if (form.is === 'object' && isObject(value)) {
    const forms = new Map(form.members.map((member) => [member.field, member.form]));
    return mapMembers(value, (inside, field) => {
      const of = forms.get(field);
      return of === undefined ? inside : orderedIn(of, inside);
    });
  }
  if (form.is === 'entries' && isArray(value)) return byText(value);
  if (form.is !== 'list' || !isArray(value)) return value;
  return isSetForm(form) ? byText(value) : value.map((item) => orderedIn(form.item, item));
}

/** Terraform has only tags of text: the platform treats `1` and `"1"` as equal. */
function withoutOwnTags(record: JsonObject): JsonValue {
  const tags = Object.entries(objectAt(record, 'tags')).filter(([key]) => !key.startsWith('gantry/'));
  return { ...record, tags: Object.fromEntries(tags.map(([key, value]) => [key, String(value)])) };
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
