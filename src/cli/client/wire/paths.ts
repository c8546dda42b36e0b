import { type ApiError, isCode } from '../../../client/http/apiError.ts';
import { collection, orgCollection } from '../../../client/read/paths.ts';
import { ToolError } from '../../../errors/toolError.ts';
import { isGvcScoped, type Kind } from '../../../schema/record/kinds.ts';
import { suggest } from '../../../schema/text/suggest.ts';
import { UsageError } from '../../line/usageError.ts';
import { nameOf } from '../model/records.ts';
import type { Api } from './api.ts';

/** The collection that records of a kind are created in. Errors: `cli.usage` where there is no GVC. */
export function homeOf(api: Api, kind: Kind): string {
  if (kind === 'org') return '/org';
  if (!isGvcScoped(kind)) return orgCollection(api.org, kind);
  if (api.gvc !== undefined) return collection(api.org, kind, api.gvc);
  throw new UsageError(
    `a ${kind} is in a GVC, and none is named`,
    'Give --gvc NAME, GANTRY_GVC, gvc in gantry.yaml or in the profile; gantry gvc get lists them.',
  );
}

/** All records of a kind in the org. */
export function orgHomeOf(api: Api, kind: Kind): string {
  return kind === 'org' ? '/org' : orgCollection(api.org, kind);
}

/** The path of a REF: `/org/…` as it is, `//…` in the org, else a name of the kind. */
export function itemOf(api: Api, kind: Kind, ref: string): string {
  if (ref.startsWith('//')) return safe(`/org/${api.org}/${ref.slice(2)}`, ref);
  if (ref.startsWith('/')) return safe(ref, ref);
  if (ref === '' || ref.includes('/')) {
    throw new UsageError(
      `${JSON.stringify(ref)} is not a valid name`,
      'Give a name, or a full link such as //gvc/NAME.',
    );
  }
  return `${homeOf(api, kind)}/${encodeURIComponent(ref).replaceAll('%40', '@').replaceAll('%3A', ':')}`;
}

/** The full link of what an argument names; of a name a link to a record of `kind`. */
export function linkOf(api: Api, kind: Kind, ref: string): string {
  return decodeURIComponent(itemOf(api, kind, ref));
}

function safe(path: string, ref: string): string {
  if (path.startsWith('/org/') && !/[\s\\\p{C}]|\/\.{1,2}(?:\/|$)/u.test(path)) return path;
  throw new UsageError(`${JSON.stringify(ref)} is not a valid link`, 'A link begins with /org/NAME/ or //.');
}

/** How many names are looked through for one that is near. */
const namesLookedAt = 200;

/** What a request on a record was answered with; where there is none of the name, the nearest one is suggested. */
export async function named<Result>(api: Api, kind: Kind, ref: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isCode(error, 'api.not-found') || ref.startsWith('/')) throw error;
    const names = await namesIn(api, homeOf(api, kind));
    if (names === undefined && isGvcScoped(kind)) throw await withoutGvc(api, error);
    const meant = suggest(ref, names ?? []);
    throw new ToolError({
      code: error.code,
      message: `there is no ${kind} ${JSON.stringify(ref)}${isGvcScoped(kind) ? ` in the GVC ${api.gvc}` : ''}`,
      hint: meant === undefined ? `gantry ${kind} get lists what is there.` : `Did you mean ${meant}?`,
      cause: error,
    });
  }
}

/** What a list of the GVC was answered with; where there is no such GVC, the nearest one is suggested. */
export async function inGvc<Result>(api: Api, kind: Kind, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isCode(error, 'api.not-found') && isGvcScoped(kind) ? await withoutGvc(api, error) : error;
  }
}

/** The same error, where the GVC may be seen or nothing else is known. */
async function withoutGvc(api: Api, cause: ApiError): Promise<ToolError> {
  const names = await namesIn(api, orgCollection(api.org, 'gvc'));
  const { gvc = '' } = api;
  if (names === undefined || names.includes(gvc)) return cause;
  const meant = suggest(gvc, names);
  return new ToolError({
    code: cause.code,
    message: `there is no GVC ${JSON.stringify(gvc)}`,
    hint: meant === undefined ? 'gantry gvc get lists what is there.' : `Did you mean --gvc ${meant}?`,
    cause,
  });
}

/** Undefined where they cannot be listed. */
async function namesIn(api: Api, path: string): Promise<readonly string[] | undefined> {
  try {
    const { items } = await api.list(`${path}?limit=${namesLookedAt}`, namesLookedAt);
    return items.flatMap((item) => nameOf(item) ?? []);
  } catch {
    return undefined; // it is a courtesy; the error that is told is the first one
  }
}
