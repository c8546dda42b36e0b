import { compareText } from '../base/text/compareText.ts';
import type { Client } from '../client/client.ts';
import { isCode } from '../client/http/apiError.ts';
import { hiddenField } from '../kinds/kindFacts.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { DeclarableKind } from '../schema/record/kinds.ts';

/** All records of these kinds, by id; with values that lists omit, if they may be read. */
export async function listRecords(client: Client, kinds: readonly DeclarableKind[]): Promise<readonly LiveResource[]> {
  const lists = await Promise.all(kinds.map((kind) => listOf(client, kind)));
  return lists.flat().sort((a, b) => compareText(a.id, b.id));
}

async function listOf(client: Client, kind: DeclarableKind): Promise<readonly LiveResource[]> {
  const listed = await client.list(kind).catch((error: unknown) => {
    if (isCode(error, 'api.not-found', 'api.method')) return []; // an installation may lack a kind
    throw error;
  });
  if (hiddenField(kind) === undefined) return listed;
  const read = await Promise.all(listed.map(({ ref }) => client.read(ref)));
  return read.filter((live) => live !== undefined);
}
