import { isArray, isObject, type JsonObject, type JsonValue, own, put, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { hiddenField, isAnswered } from '../../kinds/kindFacts.ts';
import { placeholderData } from '../../kinds/secret/fields.ts';
import { withoutPlatformValues } from '../../kinds/shapeOf.ts';
import { ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { hrefOf } from '../../schema/record/hrefOf.ts';
import { isCreatableKind, isGvcScoped, type Kind, kindNamed } from '../../schema/record/kinds.ts';

const first = [
  'kind',
  'itemKind',
  'gvc',
  'name',
  'description',
  'alias',
  'tags',
  'origin',
  'type',
  'provider',
  'lifecycle',
  'data',
];
const last = ['version', 'id', 'spec', 'status', 'created', 'lastModified', 'manifest', 'links'];

/** The members omitted from a slim record of any kind (platform/clients.output). */
const platformMembers: ReadonlySet<string> = new Set([
  ...['id', 'version', 'created', 'lastModified', 'links', 'status', 'health', 'alias', 'origin', 'repository', 'tag'],
  ...['manifest', 'digest'],
]);
const deployTag = 'scheme/deployTimestamp';

/** The members of a record in the order of the platform's own client, with unknown ones by name in between. */
export function inOrder(record: JsonObject): JsonObject {
  const rank = (key: string) => {
    const [front, back] = [first.indexOf(key), last.indexOf(key)];
    return front >= 0 ? front : back >= 0 ? 1000 + back : 500;
  };
  const keys = Object.keys(record).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const ordered: Record<string, JsonValue> = {};
  for (const key of keys) put(ordered, key, own(record, key) ?? null);
  const items = own(record, 'items');
  if (isArray(items))
    put(
      ordered,
      'items',
      items.map((item) => (isObject(item) ? inOrder(item) : item)),
    );
  return ordered;
}

/**
 * The declared part of a record, so that it can be applied again; a record in a GVC includes the GVC's name. Lists are
 * shortened in the same way.
 */
export function slim(record: JsonObject): JsonObject {
  const items = own(record, 'items');
  const lean: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(record)) if (!platformMembers.has(key)) put(lean, key, value);
  if (isArray(items)) {
    put(
      lean,
      'items',
      items.map((item) => (isObject(item) ? slim(item) : item)),
    );
    return inOrder(lean);
  }
  const tags = own(record, 'tags');
  if (isObject(tags)) {
    const isDeclared = ([key]: readonly [string, JsonValue]) => key !== deployTag && !key.startsWith(ownTagPrefix);
    put(lean, 'tags', Object.fromEntries(Object.entries(tags).filter(isDeclared)));
  }
  const kind = kindNamed(own(record, 'kind'));
  if (kind === undefined) return inOrder(lean);
  // A manifest names both, although no field of a record does.
  const gvc = isGvcScoped(kind) ? gvcOf(record) : undefined;
  const place: JsonObject = { kind, ...present({ gvc }) };
  const declared = isCreatableKind(kind) ? withoutPlatformValues(kind, withPlaceholder(kind, lean)) : lean;
  return inOrder({ ...declared, ...place });
}

/**
 * Fills the parts of a secret that `get` does not show with a placeholder, so that applying it leaves them unchanged.
 */
function withPlaceholder(kind: Kind, record: JsonObject): JsonObject {
  const hidden = hiddenField(kind);
  if (hidden === undefined || own(record, hidden) !== undefined) return record;
  const placeholder = placeholderData(stringAt(record, 'type') ?? '', []);
  return placeholder === undefined ? record : { ...record, lifecycle: { ignore: [hidden] }, [hidden]: placeholder };
}

/** The GVC in the record's own address, `/org/x/gvc/NAME/...`. */
export function gvcOf(record: JsonObject): string | undefined {
  return /^\/org\/[^/]+\/gvc\/([^/]+)\//.exec(hrefOf(record, 'self') ?? '')?.[1];
}

/** The name; for a task, its id. */
export function nameOf(record: JsonObject): string | undefined {
  return stringAt(record, 'name') ?? (isAnswered(stringAt(record, 'kind')) ? stringAt(record, 'id') : undefined);
}
