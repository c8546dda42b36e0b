import type { Exchange } from '../../client/http/exchange.ts';
import type { Stage } from '../../rehearsal/stage.ts';
import type { PlatformHost } from './platform.ts';

/** A platform in the memory of this process: without a file or a port; time passes when somebody waits. */
export interface MemoryHost extends PlatformHost {
  readonly stage: Stage;
}

export async function openMemory(org: string): Promise<MemoryHost> {
  const { clientOn, exchangeWith, openStage } = await import('../../rehearsal/stage.ts');
  const stage = await openStage({ org });
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
    stage,
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
