import type { Stage } from '../../rehearsal/stage.ts';
import type { PlatformHost } from './platform.ts';

/** A platform in the memory of this process: without a file or a port; time passes when somebody waits. */
export interface MemoryHost extends PlatformHost {
  readonly stage: Stage;
}

export async function openMemory(org: string): Promise<MemoryHost> {
  const { clientOn, openStage } = await import('../../rehearsal/stage.ts');
  const stage = await openStage({ org });
  return {
    org,
    stage,
    async connect() {
      const client = clientOn(stage, org);
      return { client, org, clock: stage.clock, tellRetriesTo() {}, close: () => client.close() };
    },
    close: () => stage.close(),
  };
}
