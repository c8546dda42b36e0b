import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { ApiFailure, invalid } from '../../http/apiFailure.ts';
import { longestQueryPath, mostQueryPatterns, mostQueryTerms } from '../../http/limits.ts';
import { type Query, readQuery, unknownMembers } from '../decisions/query.ts';
import { decode } from './paging.ts';

/** Reads the query in the body of a request. Throws 400 with all its problems (platform/query). */
export function askedQuery(body: JsonObject, kind: string): Query {
  requireBounds(body);
  const problems: Problem[] = [...unknownMembers(body)];
  const query = readQuery(body, kind, problems);
  if (problems.length > 0) throw invalid(problems);
  return query;
}

function requireBounds(body: JsonObject): void {
  const spec = objectAt(body, 'spec');
  const terms = listAt(spec, 'terms');
  if (terms.length > mostQueryTerms) throw new ApiFailure(400, `spec.terms: at most ${mostQueryTerms} terms`);
  const patterns = terms.filter((term) => isObject(term) && own(term, 'op') === '=~');
  if (patterns.length > mostQueryPatterns) {
    throw new ApiFailure(400, `spec.terms: at most ${mostQueryPatterns} regular expressions`);
  }
  const paths = [objectAt(spec, 'sort'), ...terms].map((each) => {
    return isObject(each) ? (stringAt(each, 'property') ?? stringAt(each, 'by') ?? '') : '';
  });
  if (paths.some((path) => path.length > longestQueryPath)) {
    throw new ApiFailure(400, `spec: the path of a property has at most ${longestQueryPath} characters`);
  }
}

/** The query as the response repeats it, with its kind and the default spec. */
export function echoedQuery(body: JsonObject, kind: string): JsonObject {
  return { kind, ...body, spec: own(body, 'spec') ?? { match: 'all', terms: [] } };
}

/** The query in the address of a `next` link. */
export function carriedQuery(parameters: URLSearchParams): JsonObject | undefined {
  const text = parameters.get('query');
  if (text === null) return undefined;
  const value = decode(text);
  if (!isObject(value)) throw new ApiFailure(400, 'query is not the query of a next link');
  return value;
}
