import { At, tryRead } from '../../base/form/read.ts';
import { objectAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { type Entry, noLimit, type Row, type Transaction } from '../store/model/row.ts';
import { type VolumeCommand, volumeCommandReaders } from '../volumes/decisions/commandSpec.ts';
import { type VolumeAddress, volumeKey } from '../volumes/decisions/volume.ts';

/** A command on a volume that has not ended. */
export interface ActiveCommand {
  readonly entry: Entry;
  readonly command: VolumeCommand;
}

/** The active commands on the volumes of a set, oldest first. Those on one volume run one at a time. */
export function activeCommands(tx: Transaction, row: Row): readonly ActiveCommand[] {
  const entries = ['pending', 'running'].flatMap((name) =>
    tx.entries({ journal: 'command', owner: row.uid, name, limit: noLimit }),
  );
  return compact(
    entries.toSorted((a, b) => a.atMs - b.atMs || a.seq - b.seq),
    (entry) => {
      const command = commandOf(entry);
      return command === undefined ? undefined : { entry, command };
    },
  );
}

/** Returns undefined if it is not a command on one volume. */
export function commandOf(entry: Entry): VolumeCommand | undefined {
  const reader = volumeCommandReaders.get(entry.kind);
  const read = tryRead(() => reader?.read(objectAt(entry.body, 'spec'), new At()));
  return 'value' in read ? read.value : undefined;
}

export function commandsOnVolume(active: readonly ActiveCommand[], address: VolumeAddress): readonly ActiveCommand[] {
  const key = volumeKey(address);
  return active.filter(({ command }) => volumeKey(command) === key);
}

/** The names of snapshots that active commands on this volume are creating. */
export function pendingSnapshots(active: readonly ActiveCommand[]): readonly string[] {
  return active.flatMap(({ command }) => (command.type === 'createVolumeSnapshot' ? [command.snapshotName] : []));
}
