import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import { hasMembers, viewing } from '../kinds/kindFacts.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { isCustomKind } from '../schema/record/customKinds.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import { isGvcScoped, type Kind, kindNamed } from '../schema/record/kinds.ts';
import { formatRef, parseLink, type Ref } from '../schema/record/ref.ts';
import { type Collections, fetchNamed } from './collections.ts';
import { isCode } from './http/apiError.ts';
import { IncompleteList } from './incompleteList.ts';
import { isUnserved } from './reader.ts';

/** The records that the token may certainly view. Lists and queries omit everything else. */
export interface Views {
  /** Whether the token can view every record of the kind, or every one in this GVC. False if it is not known. */
  all(kind: Kind, gvc?: string): boolean;
  /** False if the platform does not name the caller, or has no readable policies. Then unknown does not mean denied. */
  readonly isKnown: boolean;
}

export const viewsEverything: Views = { all: () => true, isKnown: true };

export interface ViewsSource extends Collections {
  readonly org: string;
  get(path: string, isOptional?: true): Promise<JsonObject>;
}

/**
 * Reads the caller, the policies that concern more than single records, and the groups that they name: three requests,
 * for any size of the org. Records of these that the token cannot view count as absent, so that an error can only make
 * the result more restrictive.
 */
export async function readViews(source: ViewsSource): Promise<Views> {
  const [caller, policies] = await Promise.all([readCaller(source), readPolicies(source)]);
  if (caller === undefined) source.capabilities.learn('access.user', 'otherwise');
  if (policies === undefined) source.capabilities.learn('access.policies', 'otherwise');
  if (caller === undefined || policies === undefined) return noViews;
  const granting = policies.flatMap((policy) => grantOf(policy.record, source.org));
  const groups = await readGroups(source, granting);
  const isCaller = (ref: Ref): boolean =>
    hasMembers(ref.kind) ? groups.get(ref.name)?.some(caller) === true : caller(ref);
  const seen = new Set(
    granting.filter(({ principals }) => principals.some(isCaller)).map(({ kind, gvc }) => place(kind, gvc)),
  );
  return {
    isKnown: true,
    all: (kind, gvc) =>
      seen.has(place(kind)) ||
      (gvc !== undefined && seen.has(place(kind, gvc))) ||
      // Access to the org includes custom kinds, unless the platform has policies for them.
      (isCustomKind(kind) && seen.has(place('org'))),
  };
}

const noViews: Views = { all: () => false, isKnown: false };

type IsCaller = (principal: Ref) => boolean;

/** A principal is identified by name or id, a user also by e-mail address; a principal in a GVC by its whole link. */
async function readCaller({ get, org }: ViewsSource): Promise<IsCaller | undefined> {
  const record = await orNothing(get('/user', true));
  if (record === undefined) return undefined;
  const kind = kindNamed(own(record, 'kind'));
  const self = parseLink(hrefOf(record, 'self') ?? '', { org })?.ref;
  const words = ['name', 'email', 'id'].flatMap((field) => stringAt(record, field)?.toLowerCase() ?? []);
  return (principal) => {
    if (principal.kind !== kind) return false;
    if (isGvcScoped(kind)) return self !== undefined && formatRef(self) === formatRef(principal);
    return words.includes(principal.name.toLowerCase());
  };
}

/** Empty if reading them is not permitted; undefined if there are none to read. */
async function readPolicies({ query, ways }: ViewsSource): Promise<readonly LiveResource[] | undefined> {
  if (ways.refusal('query', 'policy') !== undefined) return undefined;
  const terms = [
    { property: 'target', op: '=', value: 'all' },
    { property: 'targetQuery', op: 'exists' },
  ];
  const read = query('policy', { match: 'any', terms }).catch((error: unknown) => {
    if (error instanceof IncompleteList) return error.records;
    if (isCode(error, 'api.forbidden')) return [];
    throw error;
  });
  return orNothing(read);
}

/** The members of the named groups, by group name. Members by query are not looked up. */
async function readGroups(
  source: ViewsSource,
  granting: readonly Grant[],
): Promise<ReadonlyMap<string, readonly Ref[]>> {
  const named = granting.flatMap(({ principals }) => principals.filter(({ kind }) => hasMembers(kind)));
  const found = named.length === 0 ? undefined : await orNothing(fetchNamed(source, 'group', named));
  const members = ({ record }: LiveResource) => linksIn(record, 'memberLinks', source.org);
  return new Map((found?.resources ?? []).map((group) => [group.ref.name, members(group)]));
}

/** A permission to view all records of a kind, or all in one GVC. */
interface Grant {
  readonly kind: Kind;
  readonly gvc?: string;
  readonly principals: readonly Ref[];
}

function grantOf(policy: JsonObject, org: string): readonly Grant[] {
  const kind = kindNamed(own(policy, 'targetKind'));
  if (kind === undefined) return [];
  const gvc = own(policy, 'target') === 'all' ? undefined : gvcOfQuery(objectAt(policy, 'targetQuery'));
  if (own(policy, 'target') !== 'all' && gvc === undefined) return [];
  const principals = listAt(policy, 'bindings').flatMap((binding) =>
    isObject(binding) && listAt(binding, 'permissions').some((name) => viewing.has(name))
      ? linksIn(binding, 'principalLinks', org)
      : [],
  );
  return [{ kind, principals, ...present({ gvc }) }];
}

/** The GVC of a query for all of its content; undefined for any other. */
function gvcOfQuery(query: JsonObject): string | undefined {
  const { match, terms } = objectAt(query, 'spec');
  const [term, ...others] = Array.isArray(terms) ? terms : [];
  if (!isObject(term) || others.length > 0 || match === 'none') return undefined;
  const isEqual = (own(term, 'op') ?? '=') === '=';
  return isEqual && own(term, 'rel') === 'gvc' ? stringAt(term, 'value') : undefined;
}

function linksIn(record: JsonObject, field: string, org: string): readonly Ref[] {
  return compact(listAt(record, field), (link) => {
    const parsed = typeof link === 'string' ? parseLink(link, { org }) : undefined;
    return parsed === undefined || parsed.org !== org ? undefined : parsed.ref;
  });
}

function place(kind: Kind, gvc?: string): string {
  return gvc === undefined ? kind : `${kind}/${gvc}`;
}

/** Undefined if the installation does not have or permit this. */
async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!isUnserved(error) && !(error instanceof IncompleteList)) throw error;
    return undefined;
  }
}
