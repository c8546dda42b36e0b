import { publishedKinds } from '#published-kinds';
import type { JsonObject } from '../../base/json/json.ts';
import type { CreatableKind } from '../../schema/record/kinds.ts';
import { clusterTypes, matchTypes, proxyTypes } from '../common/proxy/words.ts';
import { sharedTypes } from '../common/sharedWords.ts';
import type { Published, TypeTable } from '../common/words.ts';
import { sheets } from '../list.ts';

const byKind: ReadonlyMap<unknown, Published> = new Map(Object.entries(publishedKinds));

/** Every named type of the schema, by name. */
export const allTypes: TypeTable = Object.assign(
  {},
  ...[...byKind.values()].map(({ types }) => types),
  ...[sharedTypes, proxyTypes, clusterTypes, matchTypes],
);

/** The doc comment of its construct. */
export function constructWords(kind: CreatableKind): string {
  return byKind.get(kind)?.construct ?? allTypes[sheets[kind].typeName]?.about ?? '';
}

/** A record of the kind, for the description of the API; undefined: clients write none. */
export function exampleOf(kind: unknown): JsonObject | undefined {
  return byKind.get(kind)?.example;
}
