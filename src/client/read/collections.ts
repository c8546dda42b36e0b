import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { ownerOf, ownerTag } from '../../manifest/model/ownTags.ts';
import { partTagOf } from '../../manifest/model/partTag.ts';
import { isNamedByEmail } from '../../schema/facts/kindFacts.ts';
import type { queryMatches } from '../../schema/facts/queryWords.ts';
import { type JsonObject, objectAt, own } from '../../schema/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { isCode } from '../http/apiError.ts';

/** The match, terms and order of a query (platform/query). */
export interface QuerySpec {
  readonly match: (typeof queryMatches)[number];
  readonly terms: readonly JsonObject[];
  /** `{by, order}`. Without it the platform answers in an order of its own. */
  readonly sort?: JsonObject;
}

/** Reads collections, all pages of them. */
export interface Collections {
  query(kind: Kind, spec: QuerySpec): Promise<readonly LiveResource[]>;
  list(kind: Kind, gvc?: string): Promise<readonly LiveResource[]>;
}

export interface Found {
  readonly resources: readonly LiveResource[];
  /** The whole collection was read: what is not among `all` does not exist. */
  readonly all?: readonly LiveResource[];
  /** The platform does not know this collection. */
  readonly unknownCollection?: true;
}

/**
 * Everything of a kind that carries this value of `gantry/stack`, or of which the stack owns a part: one query, or a
 * list where queries are refused.
 */
export async function fetchOwned(client: Collections, kind: Kind, owner: string): Promise<Found> {
  const part = partTagOf(owner);
  const terms = [
    { op: '=', tag: ownerTag, value: owner },
    ...(part === undefined ? [] : [{ op: 'exists', tag: part }]),
  ];
  try {
    return { resources: await client.query(kind, { match: 'any', terms }) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const found = await fetchAll(client, kind);
  const isOurs = ({ record }: LiveResource): boolean =>
    ownerOf(record) === owner || (part !== undefined && own(objectAt(record, 'tags'), part) !== undefined);
  return { ...found, resources: found.resources.filter(isOurs) };
}

/** The most names in one query. */
const chunkSize = 100;

/** The records with these names that exist, queried in chunks, or taken from a list if queries are refused. */
export async function fetchNamed(client: Collections, kind: Kind, names: readonly string[]): Promise<Found> {
  const chunks: (readonly string[])[] = [];
  for (let start = 0; start < names.length; start += chunkSize) chunks.push(names.slice(start, start + chunkSize));
  try {
    const found = await Promise.all(
      chunks.map((chunk) =>
        client.query(kind, { match: 'any', terms: chunk.flatMap((name) => nameTerms(kind, name)) }),
      ),
    );
    return { resources: found.flat() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  return fetchAll(client, kind);
}

async function fetchAll(client: Collections, kind: Kind): Promise<Found> {
  try {
    const all = await client.list(kind);
    return { resources: all, all };
  } catch (error) {
    if (!isCode(error, 'api.not-found')) throw error;
    return { resources: [], all: [], unknownCollection: true };
  }
}

/** A user is referred to by e-mail address or by id (platform/concepts.kinds). */
function nameTerms(kind: Kind, name: string): readonly JsonObject[] {
  const properties = isNamedByEmail(kind) ? ['name', name.includes('@') ? 'email' : 'id'] : ['name'];
  return properties.map((property) => ({ op: '=', property, value: name }));
}

/** The installation does not have, or does not allow, queries on this kind. */
function isRefusal(error: unknown): boolean {
  return isCode(error, 'api.invalid', 'api.forbidden', 'api.not-found', 'api.method');
}
