import { isObject, type JsonObject, own } from '../../schema/json.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import { type Query, readQuery } from '../rules/query.ts';
import { decode } from './paging.ts';

/** The query of a request over records of a kind; 400 with everything that is wrong with it (protocol 3.4). */
export function askedQuery(body: JsonObject, kind: string): Query {
  const problems: Problem[] = [];
  const query = readQuery(body, kind, problems);
  if (problems.length > 0) throw invalid(problems);
  return query;
}

/** The query as its reply repeats it: with its kind, and all records where it says nothing. */
export function repeatedQuery(body: JsonObject, kind: string): JsonObject {
  return { kind, ...body, spec: own(body, 'spec') ?? { match: 'all', terms: [] } };
}

/** The query that a `next` link carries on. */
export function carriedQuery(parameters: URLSearchParams): JsonObject | undefined {
  const text = parameters.get('query');
  if (text === null) return undefined;
  const value = decode(text);
  if (!isObject(value)) throw new ApiFailure(400, 'query is not one that a next link carries');
  return value;
}
