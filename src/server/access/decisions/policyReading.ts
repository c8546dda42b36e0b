import { isObject, type JsonObject, listAt, own, stringAt } from '../../../base/json/json.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { expandLink } from '../../../schema/record/ref.ts';
import { type Query, readQuery } from '../../query/decisions/query.ts';

/** A parsed policy with full links (platform/access.evaluation). */
export interface PolicyTerms {
  readonly targetKind: string;
  readonly all: boolean;
  readonly links: ReadonlySet<string>;
  /** Undefined if there is none or it is invalid: it then selects nothing. */
  readonly query: Query | undefined;
  readonly bindings: readonly Binding[];
}

export interface Binding {
  readonly permissions: readonly string[];
  readonly principals: readonly string[];
}

/** Parses a stored policy. Invalid parts grant nothing. */
export function readPolicy(record: JsonObject, org: string): PolicyTerms {
  const targetKind = stringAt(record, 'targetKind') ?? '';
  return {
    targetKind,
    all: own(record, 'target') === 'all',
    links: new Set(linksAt(record, 'targetLinks', org)),
    query: storedQuery(own(record, 'targetQuery'), targetKind),
    bindings: listAt(record, 'bindings')
      .filter(isObject)
      .map((binding) => ({
        permissions: listAt(binding, 'permissions').filter((name) => typeof name === 'string'),
        principals: linksAt(binding, 'principalLinks', org),
      })),
  };
}

/** A query in a record; undefined if there is none or it is invalid. */
export function storedQuery(query: unknown, kind: string): Query | undefined {
  if (!isObject(query)) return undefined;
  const problems: Problem[] = [];
  const read = readQuery(query, kind, problems);
  return problems.length > 0 ? undefined : read;
}

/** The full links of a list. */
export function linksAt(record: JsonObject, field: string, org: string): readonly string[] {
  return listAt(record, field)
    .filter((link) => typeof link === 'string')
    .map((link) => comparable(expandLink(link, { org })));
}

/**
 * Lowercases links by e-mail address, which are compared ignoring case (platform/group.members); others are compared
 * exactly.
 */
function comparable(link: string): string {
  return /^\/org\/[^/]+\/user\//.test(link) ? link.toLowerCase() : link;
}
