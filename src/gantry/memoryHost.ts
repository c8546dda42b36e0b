import type { JsonObject } from '../base/json/json.ts';
import type { Exchange } from '../client/http/exchange.ts';
import type { PlatformHost } from '../project/platform/platform.ts';

/**
 * A platform in the memory of this process: without a file or a port; time passes when somebody waits. `records`: what
 * is there from the beginning. Errors: `automation.records`.
 */
export async function openMemory(org: string, records: readonly JsonObject[] = []): Promise<PlatformHost> {
  const [{ clientOn, exchangeWith, openStage }, { loadRecords }] = await Promise.all([
    import('../rehearsal/stage.ts'),
    import('../rehearsal/loadRecords.ts'),
  ]);
  const stage = await openStage({ org });
  if (records.length > 0) await loadRecords(stage.platform, records, org);
  const underWay = new Set<Promise<unknown>>();
  const direct = exchangeWith(stage.platform);
  const exchange: Exchange = {
    async send(request) {
      const answer = direct.send(request);
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer));
    },
    close: () => Promise.resolve(),
  };
  return {
    org,
    async connect() {
      const client = clientOn(stage, org, exchange);
      return { client, org, clock: stage.clock, tellRetriesTo() {}, close: () => client.close() };
    },
    async close() {
      await Promise.allSettled(underWay); // of steps that were interrupted
      await stage.close();
    },
  };
}
