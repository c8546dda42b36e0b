import type { EventFacts } from './eventRecord.ts';

/** The data of a volume that its events contain. */
export interface LoggedVolume {
  readonly location: string;
  readonly index: number;
  readonly sizeGb: number;
  /** Its storage no longer exists. */
  readonly deleted: boolean;
  readonly snapshots: readonly { readonly id: string }[];
}

/**
 * The events of the volumes of a set between two states (platform/audit.event-log, platform/volumeset.status), in the
 * order of the later state.
 */
export function volumeEvents(before: readonly LoggedVolume[], after: readonly LoggedVolume[]): readonly EventFacts[] {
  const known = new Map(before.map((volume) => [keyOf(volume), volume]));
  const now = new Set(after.map(keyOf));
  const gone = before.filter((volume) => !volume.deleted && !now.has(keyOf(volume)));
  return [
    ...after.flatMap((volume) => {
      const was = known.get(keyOf(volume));
      const happened = [between(was, volume), ...ofSnapshots(was?.snapshots ?? [], volume.snapshots)];
      return happened.filter((status) => status !== undefined).map((status) => told(volume, status));
    }),
    ...gone.map((volume) => told(volume, 'volume deleted')),
  ];
}

function keyOf({ location, index }: LoggedVolume): string {
  return `${location}/${index}`;
}

function between(was: LoggedVolume | undefined, is: LoggedVolume): string | undefined {
  if (was === undefined || was.deleted) return is.deleted ? undefined : 'volume created';
  if (is.deleted) return 'volume deleted';
  if (is.sizeGb === was.sizeGb) return undefined;
  return is.sizeGb > was.sizeGb ? 'volume expanded' : 'volume shrunk';
}

/** Created by schedule or command, or expired; several at once count as one. */
function ofSnapshots(was: LoggedVolume['snapshots'], is: LoggedVolume['snapshots']): readonly string[] {
  const [before, now] = [new Set(was.map(({ id }) => id)), new Set(is.map(({ id }) => id))];
  return [
    ...(is.some(({ id }) => !before.has(id)) ? ['snapshot created'] : []),
    ...(was.some(({ id }) => !now.has(id)) ? ['snapshot deleted'] : []),
  ];
}

function told({ location, index, sizeGb }: LoggedVolume, status: string): EventFacts {
  const message = `volume ${index} in ${location}, ${sizeGb} GB`;
  return { component: 'actuator', category: 'volume', status, location, message };
}
