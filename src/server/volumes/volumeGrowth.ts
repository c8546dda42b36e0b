import { recordAudit } from '../audit/auditTrail.ts';
import { addCommand } from '../audit/commandLog.ts';
import { aboutCommand } from '../audit/decisions/aboutCommand.ts';
import { addEvent } from '../audit/eventLog.ts';
import { platformCaller } from '../core/caller.ts';
import type { UnitOfWork } from '../core/session.ts';
import type { Row } from '../store/model/row.ts';
import { usualTimeoutMs } from './decisions/commandSpec.ts';
import type { GrowthTarget } from './decisions/growthLaws.ts';
import { growthPolicy } from './decisions/growthPolicy.ts';
import { growthAt } from './decisions/nextGrowth.ts';
import { readVolumes, type Volume } from './decisions/volume.ts';
import { storeVolumes, withoutExpanding } from './state/volumeSetState.ts';
import { scheduleFirstStep } from './volumeStep.ts';

/** Checks the volumes of a set, and starts an `expandVolume` for those that must grow (platform/volumeset.growth). */
export function growVolumes(at: UnitOfWork, row: Row): void {
  const { platform, tx } = at;
  const policy = growthPolicy(row.record);
  if (policy !== undefined) {
    for (const volume of withoutExpanding(tx, row, readVolumes(row.state))) {
      const target = growthAt(volume, policy, platform.now());
      if (target !== undefined) expand(at, row, volume, target);
    }
  }
  storeVolumes(at, row, readVolumes(row.state));
}

function expand({ platform, tx }: UnitOfWork, row: Row, volume: Volume, { capacityGb, law }: GrowthTarget): void {
  const { location, index } = volume;
  const id = platform.newId();
  const type = 'expandVolume';
  const spec = {
    location,
    volumeIndex: index,
    newStorageCapacity: capacityGb,
    timeoutSeconds: usualTimeoutMs / 1_000,
  };
  addCommand({ platform, tx }, row, { id, type, spec, tags: {} }, { lifecycleStage: 'pending', status: { law } });
  scheduleFirstStep({ platform, tx }, row, id, platform.settings.commandStageMs);
  const caller = platformCaller(platform);
  recordAudit({ platform, tx, caller }, undefined, {
    action: 'exec',
    kind: 'volumeset',
    row,
    about: aboutCommand(id, type, spec),
  });
  const status = `the volume ${index} in ${location} grows to ${capacityGb} GB`;
  addEvent({ platform, tx }, row, { component: 'actuator', status });
}
