import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { east, link, makeGvc, makeVolumeSet, makeWorkload, stateful } from './fixtures.ts';
import { at, itemsAt } from './place.ts';
import { until, type Wire } from './wire.ts';

/** A volume set with volumes: the paths of the set, and of the workload that mounts it. */
export interface Mounted {
  readonly set: string;
  readonly workload: string;
}

/** Creates a GVC in one location, a volume set with this spec, and a stateful workload that mounts it. */
export async function mounted(wire: Wire, spec: JsonObject = {}, replicas = 1): Promise<Mounted> {
  const gvc = await makeGvc(wire, { staticPlacement: { locationLinks: [link.east] } });
  const name = await makeVolumeSet(wire, gvc, spec);
  const workload = await makeWorkload(wire, gvc, stateful(name, replicas));
  const set = `gvc/${gvc}/volumeset/${name}`;
  await until(
    wire,
    () => volumesOf(wire, set),
    (volumes) => volumes.length === replicas && volumes.every(({ lifecycle }) => lifecycle === 'bound'),
  );
  return { set, workload };
}

/** The volumes of the set in a location. */
export async function volumesOf(wire: Wire, set: string, location = east): Promise<readonly JsonObject[]> {
  const locations = itemsAt(await wire.get(set), 'status/locations');
  return itemsAt(
    locations.find(({ name }) => name === location),
    'volumes',
  );
}

/** The size of the volume, in GB. */
export async function sizeOf(wire: Wire, set: string, volumeIndex = 0): Promise<number> {
  const volume = (await volumesOf(wire, set)).find(({ index }) => index === volumeIndex);
  return Number(at(volume, 'currentSize'));
}

/** Simulates the used space of the volume from now on. */
export async function use(wire: Wire, set: string, usedGb: number, volumeIndex = 0): Promise<void> {
  await wire.ok('POST', `${set}/-simulate`, { samples: [{ location: east, volumeIndex, usedGb }] });
}

/** Sends a command, and reads it until it has ended. */
export async function command(wire: Wire, path: string, type: string, spec: JsonObject): Promise<JsonObject> {
  const reply = await wire.call('POST', `${path}/-command`, { type, spec });
  if (reply.status !== 201) throw new Error(`${type} ${JSON.stringify(spec)} answered ${reply.status}: ${reply.text}`);
  const location = reply.headers.get('location') ?? '';
  return until(
    wire,
    () => wire.get(location),
    (record) => ['completed', 'failed', 'cancelled'].includes(String(record['lifecycleStage'])),
  );
}

/** The snapshots of the volume. */
export async function snapshotsOf(wire: Wire, set: string, volumeIndex = 0): Promise<readonly JsonObject[]> {
  const volume = (await volumesOf(wire, set)).find(({ index }) => index === volumeIndex);
  return itemsAt(volume, 'volumeSnapshots').filter(isObject);
}
