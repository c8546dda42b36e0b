import { own } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Client } from '../../client/client.ts';
import { isCode } from '../../client/http/apiError.ts';
import { IncompleteList } from '../../client/read/incompleteList.ts';
import { isUnserved } from '../../client/read/reader.ts';

/**
 * The same client, which says that something is not there only where the platform has the org. A wrong org, a wrong path
 * and a server that answers 404 to everything look like an org in which all was deleted: Terraform would drop it from the
 * state. A record of the org shows that it is there; before the first one is seen, the org is asked for, once.
 */
export function inServedOrg(client: Client): Client {
  let isSeen = false;
  let served: Promise<void> | undefined;
  const requireOrg = async (): Promise<void> => {
    if (isSeen) return;
    served ??= findOrg(client);
    await served.catch((error: unknown) => {
      served = undefined;
      if (!isSeen) throw error; // another answer has shown one meanwhile
    });
  };
  return {
    ...client,
    async read(ref) {
      const live = await client.read(ref);
      if (live === undefined) await requireOrg();
      else isSeen = true;
      return live;
    },
    async list(kind, gvc) {
      try {
        const found = await client.list(kind, gvc);
        if (found.length > 0) isSeen = true;
        return found;
      } catch (error) {
        if (isCode(error, 'api.not-found')) await requireOrg();
        throw error;
      }
    },
  };
}

/** By its own record, or by a GVC in it: not every platform has the former. */
async function findOrg(client: Client): Promise<void> {
  const { org } = client;
  const path = `/org/${encodeURIComponent(org)}`;
  try {
    const record = await client.get(path, true);
    if (own(record, 'name') === org) return;
  } catch (error) {
    if (isCode(error, 'api.forbidden')) return; // it is there, and this token may not view it
    if (!isUnserved(error)) throw error;
  }
  if (await hasGvc(client)) return;
  throw new ToolError({
    code: 'provider.org',
    message: `the org ${org} does not exist on this platform, or this token cannot view it`,
    hint:
      'Check org and endpoint of the provider block, and the variables GANTRY_ORG and GANTRY_ENDPOINT. Nothing was ' +
      `concluded of any resource: GET ${path} had no answer of an org, and no record of it was seen.`,
  });
}

/** By the list, or else by a query. */
async function hasGvc({ list, query }: Client): Promise<boolean> {
  const ways = [() => list('gvc'), () => query('gvc', { match: 'all', terms: [] })];
  for (const ask of ways) {
    try {
      if ((await ask()).length > 0) return true;
    } catch (error) {
      if (error instanceof IncompleteList && error.records.length > 0) return true;
      if (!(error instanceof IncompleteList) && !isUnserved(error)) throw error;
    }
  }
  return false;
}
