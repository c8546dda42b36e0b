import { own } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Client } from '../../client/client.ts';
import { isCode } from '../../client/http/apiError.ts';

/**
 * The same client, which says that something is not there only where the platform has the org. A wrong org, a wrong path
 * and a server that answers 404 to everything look like an org in which all was deleted: Terraform would drop it from the
 * state. The org is asked for before the first such answer, once.
 */
export function inServedOrg(client: Client): Client {
  let served: Promise<void> | undefined;
  const requireOrg = (): Promise<void> => {
    served ??= findOrg(client);
    return served;
  };
  return {
    ...client,
    async read(ref) {
      const live = await client.read(ref);
      if (live === undefined) await requireOrg();
      return live;
    },
    async list(kind, gvc) {
      try {
        return await client.list(kind, gvc);
      } catch (error) {
        if (isCode(error, 'api.not-found')) await requireOrg();
        throw error;
      }
    },
  };
}

async function findOrg({ org, get }: Client): Promise<void> {
  const path = `/org/${encodeURIComponent(org)}`;
  try {
    const record = await get(path);
    if (own(record, 'name') === org) return;
  } catch (error) {
    if (isCode(error, 'api.forbidden')) return; // it is there, and this token may not view it
    if (!isCode(error, 'api.not-found')) throw error;
  }
  throw new ToolError({
    code: 'provider.org',
    message: `the org ${org} does not exist on this platform, or this token cannot view it`,
    hint:
      'Check org and endpoint of the provider block, and the variables GANTRY_ORG and GANTRY_ENDPOINT. Nothing was ' +
      `concluded of any resource: GET ${path} had no answer of an org.`,
  });
}
