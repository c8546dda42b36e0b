import { type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { linkOf } from '../../schema/record/ref.ts';
import { recordAudit } from '../audit/auditTrail.ts';
import { addCommand, changeCommand, findCommand } from '../audit/commandLog.ts';
import { platformCaller } from '../core/caller.ts';
import type { Job } from '../core/job.ts';
import type { UnitOfWork } from '../core/session.ts';
import { type Row, refOfRow } from '../store/model/row.ts';
import { deletionStages } from './decisions/commandStages.ts';
import { isCopyable, wantsFinalSnapshot, withSnapshot } from './decisions/snapshots.ts';
import { readVolumes } from './decisions/volume.ts';

const type = 'deleteVolumeSet';

/**
 * A volume set to be deleted, with a final snapshot of each volume if configured (platform/volumeset,
 * platform/deletion).
 */
export function withFinalSnapshots({ platform }: UnitOfWork, row: Row): Row {
  if (!wantsFinalSnapshot(row.record)) return row;
  const nowMs = platform.now();
  const volumes = readVolumes(row.state).map((volume) => {
    if (!isCopyable(volume, nowMs)) return volume;
    const request = { name: `final-${nowMs}`, id: platform.newId(), expiresMs: 0, tags: [], scheduled: false };
    return withSnapshot(row.record, volume, request, nowMs);
  });
  return { ...row, state: { ...row.state, volumes } };
}

/**
 * Creates the command by which the platform deletes a volume set (platform/commands, platform/deletion). Clients can
 * read it while the set is shown; the audit trail keeps it, with the final snapshots, if there was anything to delete.
 */
export function announceDeletion({ platform, tx }: UnitOfWork, row: Row, untilMs: number | undefined): void {
  const volumes = readVolumes(row.state);
  const locations = [...new Set(volumes.map(({ location }) => location))].toSorted();
  const spec = { volumeSet: linkOf(refOfRow(row), platform.org), locations };
  const stages = deletionStages(wantsFinalSnapshot(row.record));
  const id = platform.newId();
  if (untilMs !== undefined) {
    const state = { lifecycleStage: 'running', status: { stage: stages[0] ?? '' } } as const;
    addCommand({ platform, tx }, row, { id, type, spec, tags: {} }, state);
    schedule(
      { platform, tx },
      { id, at: 1, stages, eachMs: Math.ceil((untilMs - platform.now()) / (stages.length + 1)) },
    );
  }
  if (volumes.length === 0) return;
  const finalSnapshots = volumes.flatMap(({ location, index, snapshots }) => {
    const last = snapshots.at(-1);
    if (last === undefined || last.createdMs !== platform.now()) return [];
    return [{ location, volumeIndex: index, name: last.name, id: last.id, size: last.sizeGb }];
  });
  recordAudit({ platform, tx, caller: platformCaller(platform) }, undefined, {
    action: 'exec',
    kind: 'volumeset',
    row,
    about: { type, spec, finalSnapshots },
  });
}

interface Progress {
  readonly id: string;
  readonly at: number;
  readonly stages: readonly string[];
  readonly eachMs: number;
}

function schedule({ platform, tx }: UnitOfWork, { id, at, stages, eachMs }: Progress): void {
  const about: JsonObject = { id, at, stages, eachMs };
  tx.schedule({ key: `command/${id}`, atMs: platform.now() + eachMs, job: 'volumeset.deletion', about });
}

/** Runs the next stage. The last run, when the set is no longer shown, removes its commands. `about`: see `Progress`. */
export const continueVolumeSetDeletion: Job = (work, about) => {
  const id = stringAt(about, 'id') ?? '';
  const [at, eachMs] = [own(about, 'at'), own(about, 'eachMs')];
  const entry = findCommand(work.tx, id);
  if (entry === undefined || typeof at !== 'number' || typeof eachMs !== 'number') return;
  const listed = own(about, 'stages');
  const stages = Array.isArray(listed) ? listed.filter((stage) => typeof stage === 'string') : [];
  if (at > stages.length) {
    work.tx.dropEntries(entry.owner, ['command']);
    return;
  }
  const stage = stages[at];
  if (stage === undefined)
    changeCommand(work, id, { lifecycleStage: 'completed', status: { stage: stages.at(-1) ?? '' } });
  else changeCommand(work, id, { lifecycleStage: 'running', status: { stage } });
  schedule(work, { id, at: at + 1, stages, eachMs });
};
