import { compact } from '../base/json/present.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { isContainer, isGvcScoped, isOrg, type Kind } from '../schema/record/kinds.ts';
import type { Client } from './client.ts';
import { type Collections, type Found, fetchAll, fetchInGvcs, listGvcs } from './collections.ts';
import { fetchGaps } from './gaps.ts';
import { toLive } from './liveResource.ts';
import { isUnserved } from './reader.ts';

/** Records of a kind in the whole org, or in one GVC; for the kind `gvc`, that GVC itself. */
export interface Whole {
  readonly kind: Kind;
  readonly gvc: string | undefined;
}

type Source = Collections & Pick<Client, 'org' | 'get'>;

/** All of these records, and why a kind may have more. */
export async function fetchWhole(
  client: Source,
  wanted: readonly Whole[],
): Promise<{ readonly records: readonly LiveResource[]; readonly gaps: ReadonlyMap<Kind, string> }> {
  const found = await Promise.all(wanted.map((each) => wholeOf(client, each)));
  const kinds = wanted.map(({ kind }) => kind);
  return {
    records: found.flatMap(({ resources }) => resources),
    gaps: await fetchGaps(client, kinds, found, () => false),
  };
}

async function wholeOf(client: Source, { kind, gvc }: Whole): Promise<Found> {
  if (isOrg(kind)) return one(async () => toLive(kind, await client.get(`/org/${client.org}`)));
  if (gvc !== undefined && isContainer(kind)) return one(() => client.record({ kind, name: gvc }));
  const inside = gvc === undefined ? undefined : await fetchInGvcs(client, kind, [gvc]);
  if (inside !== undefined) return inside;
  const all = await fetchAll(client, kind);
  if (all.gap === undefined || !isGvcScoped(kind)) return all;
  const { records, error } = await listGvcs(client);
  const names = records.map(({ ref }) => ref.name);
  return (error === undefined ? await fetchInGvcs(client, kind, names) : undefined) ?? all;
}

async function one(read: () => Promise<LiveResource | undefined>): Promise<Found> {
  try {
    const live = await read();
    return { resources: compact([live]) };
  } catch (error) {
    if (!isUnserved(error)) throw error;
    return { resources: [], gap: error.message };
  }
}
