import { At } from '../../base/form/read.ts';
import { activeCommands, onVolume, snapshotsInWork } from '../audit/activeCommands.ts';
import type { CommandState } from '../audit/commandLog.ts';
import type { CommandType } from '../audit/commandType.ts';
import type { Session } from '../core/session.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { requireStorage } from '../records/shown/quotaUse.ts';
import type { Row } from '../store/model/row.ts';
import { commandRefusal, recentExpansions } from './decisions/commandRefusal.ts';
import { type VolumeCommand, volumeCommandReaders } from './decisions/commandSpec.ts';
import { findVolume, readVolumes, withVolume } from './decisions/volume.ts';
import { storeVolumes } from './state/volumeSetState.ts';
import { scheduleFirstStep } from './volumeStep.ts';

/** The commands of clients on the volumes of a set (platform/commands). */
export const volumeCommands: readonly CommandType[] = [...volumeCommandReaders].map(([type, reader]) => ({
  owner: 'volumeset',
  type,
  spec: reader,
  begin: (session, row, { id, spec }) => begin(session, row, id, reader.read(spec, new At())),
}));

/** The command is `pending` until earlier commands on the same volume have ended. */
function begin(session: Session, row: Row, id: string, read: VolumeCommand): CommandState {
  const { tx, platform } = session;
  const before = onVolume(activeCommands(tx, row), read);
  const volumes = readVolumes(row.state);
  const refusal = commandRefusal(read, {
    volumeSet: row.record,
    volumes,
    nowMs: platform.now(),
    namesInWork: snapshotsInWork(before),
    expandLimit: platform.settings.expandLimit,
  });
  if (refusal !== undefined) throw new ApiFailure(refusal.code, refusal.message);

  if (read.type === 'expandVolume') {
    const { sizeGb = 0 } = findVolume(volumes, read) ?? {};
    requireStorage(tx, read.capacityGb - sizeGb);
    countExpansion(session, row, read);
  }
  if (before.length === 0) scheduleFirstStep(session, row, id, platform.settings.commandStageMs);
  return { lifecycleStage: 'pending', status: {} };
}

/** Only commands of clients count, not those of the platform itself (platform/commands.volumes). */
function countExpansion(session: Session, row: Row, command: VolumeCommand): void {
  const volumes = readVolumes(row.state);
  const volume = findVolume(volumes, command);
  if (volume === undefined) return;
  const nowMs = session.platform.now();
  const expandedMs = [...recentExpansions(volume, nowMs), nowMs];
  storeVolumes(session, row, withVolume(volumes, { ...volume, expandedMs }));
}
