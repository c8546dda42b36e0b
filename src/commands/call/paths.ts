import { suggest } from '../../base/text/suggest.ts';
import { ToolError } from '../../base/toolError.ts';
import { type ApiError, isCode } from '../../client/http/apiError.ts';
import { collection, item, orgCollection } from '../../client/paths.ts';
import { aKind } from '../../kinds/kindWords.ts';
import { isGvcScoped, isOrg, type Kind } from '../../schema/record/kinds.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api } from './api.ts';
import { nameOf } from './records.ts';

/** The collection in which records of a kind are created. Errors: `cli.usage` if there is no GVC. */
export function homeOf(api: Api, kind: Kind, gvc = api.gvc): string {
  if (isOrg(kind)) return '/org';
  if (!isGvcScoped(kind)) return orgCollection(api.org, kind);
  if (gvc !== undefined) return collection(api.org, kind, gvc);
  throw new UsageError(
    `${aKind(kind)} belongs to a GVC, and none was given`,
    'Give --gvc NAME, GANTRY_GVC, gvc in gantry.yaml or in the profile; gantry gvc get lists them.',
  );
}

/** The collection of all records of a kind in the org. */
export function orgHomeOf(api: Api, kind: Kind): string {
  return isOrg(kind) ? '/org' : orgCollection(api.org, kind);
}

export function pathOf({ org }: Api, ref: Ref): string {
  return isOrg(ref.kind) ? linkOf(ref, org) : item(org, ref);
}

/** How many names are searched for a similar one. */
const namesLookedAt = 200;

/** The answer to a request on a record; if the name does not exist, the nearest one is suggested. */
export async function named<Result>(api: Api, ref: Ref, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isCode(error, 'api.not-found')) throw error;
    const { kind, name, gvc } = ref;
    const names = await namesIn(api, isOrg(kind) ? '/org' : collection(api.org, kind, gvc));
    if (names === undefined && gvc !== undefined) throw await withoutGvc(api, gvc, error);
    const meant = suggest(name, names ?? []);
    throw new ToolError({
      code: error.code,
      message: `there is no ${kind} ${JSON.stringify(name)}${gvc === undefined ? '' : ` in the GVC ${gvc}`}`,
      hint: meant === undefined ? `gantry ${kind} get lists what is there.` : `Did you mean ${meant}?`,
      cause: error,
    });
  }
}

/** The answer to a list of the GVC; if the GVC does not exist, the nearest one is suggested. */
export async function inGvc<Result>(api: Api, kind: Kind, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isCode(error, 'api.not-found') && isGvcScoped(kind) ? await withoutGvc(api, api.gvc ?? '', error) : error;
  }
}

/** The given error if the GVC exists or nothing else is known; otherwise an error that says it does not exist. */
async function withoutGvc(api: Api, gvc: string, cause: ApiError): Promise<ToolError> {
  const names = await namesIn(api, orgCollection(api.org, 'gvc'));
  if (names === undefined || names.includes(gvc)) return cause;
  const meant = suggest(gvc, names);
  return new ToolError({
    code: cause.code,
    message: `there is no GVC ${JSON.stringify(gvc)}`,
    hint: meant === undefined ? 'gantry gvc get lists what is there.' : `Did you mean --gvc ${meant}?`,
    cause,
  });
}

/** Undefined if they cannot be listed. */
async function namesIn(api: Api, path: string): Promise<readonly string[] | undefined> {
  try {
    const { items } = await api.list(`${path}?limit=${namesLookedAt}`, namesLookedAt);
    return items.flatMap((item) => nameOf(item) ?? []);
  } catch {
    return undefined; // the suggestion is optional; the first error is reported
  }
}
