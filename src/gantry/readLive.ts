import { withArticle } from '../base/text/article.ts';
import { compareText } from '../base/text/compareText.ts';
import type { Client } from '../client/client.ts';
import { fetchNamed } from '../client/collections.ts';
import { requireServedOrg } from '../client/fetchSnapshot.ts';
import { isCode } from '../client/http/apiError.ts';
import { IncompleteList } from '../client/incompleteList.ts';
import { isUnserved } from '../client/reader.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { declarableKinds, isDeclarable, type Kind } from '../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';

/** A requested resource that cannot be read or adopted. */
export interface LeftOut {
  readonly id: ResourceId;
  readonly because: string;
}

export interface AdoptSource {
  readonly client: Client;
  readonly org: string;
}

export interface FoundLive {
  /** Sorted by id; secrets without their values. */
  readonly live: readonly LiveResource[];
  readonly left: readonly LeftOut[];
}

/** Reads the named resources in bulk, without values of secrets. */
export async function readNamed(client: Client, refs: readonly Ref[]): Promise<FoundLive> {
  const left: LeftOut[] = [];
  const byKind = Map.groupBy(refs, ({ kind }) => kind);
  const found = await Promise.all(
    [...byKind].map(async ([kind, wanted]): Promise<readonly LiveResource[]> => {
      if (!isDeclarable(kind)) {
        left.push(
          ...wanted.map((ref) => ({
            id: formatRef(ref),
            because: `${withArticle(kind)} is created by the platform and cannot be declared`,
          })),
        );
        return [];
      }
      const ids = new Set(wanted.map(formatRef));
      const { resources } = await fetchNamed(client, kind, wanted);
      const live = resources.filter(({ id }) => ids.has(id));
      for (const { id } of live) ids.delete(id);
      const missing = wanted.filter((ref) => ids.has(formatRef(ref)));
      const unlisted = await Promise.all(missing.map((ref) => readMissing(client, ref, left)));
      return [...live, ...unlisted.flat()];
    }),
  );
  return sorted(found.flat(), left);
}

/** The reason for omitting a named resource. */
export const noSuchResource = 'there is no such resource';

/** Lists may be incomplete. */
async function readMissing(client: Client, ref: Ref, left: LeftOut[]): Promise<readonly LiveResource[]> {
  const id = formatRef(ref);
  try {
    const live = await client.record(ref);
    if (live !== undefined) return [live];
    left.push({ id, because: noSuchResource });
  } catch (error) {
    if (!isCode(error, 'api.forbidden')) throw error;
    left.push({ id, because: 'this token cannot view it' });
  }
  return [];
}

/** Everything in the org, or one GVC with its content. Errors: `api.not-found` if the org does not exist. */
export async function readAll({ client, org }: AdoptSource, gvc: string | undefined): Promise<FoundLive> {
  if (gvc !== undefined) {
    const named = await readNamed(client, [{ kind: 'gvc', name: gvc }]);
    if (named.live.length === 0) return named;
    const left: LeftOut[] = [];
    const children = await client
      .children(gvc)
      .catch((error: unknown) => recordsOfPartialList(error, `gvc/${gvc}/*`, left));
    return sorted([...named.live, ...children], left);
  }
  const left: LeftOut[] = [];
  const kinds = await Promise.all(declarableKinds().map((kind) => listKind(client, kind, left)));
  const known = kinds.filter((kind) => kind !== undefined);
  if (known.length === 0) {
    await requireServedOrg(client);
    throw new IncompleteList(`the org ${org}`, 'the platform has no lists; name what you want to adopt', []);
  }
  return sorted(known.flat(), [...left, ...(await unseenKinds(client, left))]);
}

/** Lists omit records that may not be viewed. */
async function unseenKinds(client: Client, left: readonly LeftOut[]): Promise<readonly LeftOut[]> {
  const views = await client.views();
  if (!views.isKnown) return [];
  const reported = new Set(left.map(({ id }) => id));
  return declarableKinds()
    .filter((kind) => !views.all(kind) && !reported.has(`${kind}/*`))
    .map((kind) => ({ id: `${kind}/*`, because: 'this token cannot view all of them' }));
}

/** Undefined for a kind that the installation lacks; a kind that may not be listed is reported. */
async function listKind(client: Client, kind: Kind, left: LeftOut[]): Promise<readonly LiveResource[] | undefined> {
  try {
    return await client.list(kind);
  } catch (error) {
    if (isCode(error, 'api.not-found', 'api.method')) return undefined;
    if (!isCode(error, 'api.forbidden')) return recordsOfPartialList(error, `${kind}/*`, left);
    left.push({ id: `${kind}/*`, because: 'this token cannot list them' });
    return [];
  }
}

/** The records of an incomplete list; the rest is reported as omitted. */
function recordsOfPartialList(error: unknown, id: ResourceId, left: LeftOut[]): readonly LiveResource[] {
  const isIncomplete = error instanceof IncompleteList;
  if (!isIncomplete && !isUnserved(error)) throw error;
  left.push({
    id,
    because: isIncomplete ? `not all are listed: ${error.why}` : `they cannot be listed: ${error.message}`,
  });
  return isIncomplete ? error.records : [];
}

function byId<Item extends { readonly id: ResourceId }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => compareText(a.id, b.id));
}

function sorted(live: readonly LiveResource[], left: readonly LeftOut[]): FoundLive {
  return { live: byId(live), left: byId(left) };
}
