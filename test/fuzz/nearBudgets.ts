import type { JsonObject } from '../../src/base/json/json.ts';
import {
  longestQueryPath,
  longestQueryPattern,
  mostQueryPatterns,
  mostQueryTerms,
} from '../../src/server/http/limits.ts';
import type { Dice } from './dice.ts';

/** A query near every budget. */
export function largeQuery(dice: Dice): JsonObject {
  const [kind, count] = [dice.whole(termsOf.length), dice.one([mostQueryTerms, mostQueryTerms - 1, 300])];
  const make = termsOf[kind] ?? byName;
  const terms = Array.from({ length: make === byPattern ? mostQueryPatterns : count }, (_, at) => make(at));
  const sort = dice.percent(30)
    ? { sort: { by: dice.one(['name', 'description', 'spec.type']), order: dice.one(['asc', 'desc']) } }
    : {};
  return { spec: { match: dice.one(['any', 'all', 'none']), terms, ...sort } };
}

function byName(at: number): JsonObject {
  return { op: '=', property: 'name', value: `nobody-${at}` };
}

function byText(at: number): JsonObject {
  return { op: '~', property: 'description', value: `nowhere ${at}` };
}

function byPath(at: number): JsonObject {
  const path = 'spec.containers.'.repeat(Math.floor((longestQueryPath - 10) / 16));
  return { op: '!=', property: `${path}n${at % 10}`, value: 'x' };
}

/** A pattern that every name nearly matches. */
function byPattern(at: number): JsonObject {
  const value = `${'a?'.repeat(Math.floor((longestQueryPattern - 10) / 2))}[b-z]${at}$`;
  return { op: '=~', property: 'description', value };
}

function byTag(at: number): JsonObject {
  return at % 2 === 0 ? { op: '=', tag: `key-${at}`, value: 'x' } : { op: 'exists', tag: `key-${at}` };
}

function byStatus(at: number): JsonObject {
  return { op: '=', property: 'status.endpoint', value: `https://nowhere-${at}` };
}

const termsOf: readonly ((at: number) => JsonObject)[] = [byName, byText, byPath, byPattern, byTag, byStatus];

/** Addresses of reads that process or return much. */
// biome-ignore format: a row is a case
export const largeReads: readonly string[] = [
  '/org/local/workload?limit=1000', '/org/local/secret?limit=1000', '/audit/org/local?limit=1000',
  '/audit/org/local?subjectName=nobody@example.com', '/audit/org/local?resourceType=workload&limit=1000',
  '/org/local/-accessreport', '/openapi.json', '/-exporter/terraform/org/local',
];
