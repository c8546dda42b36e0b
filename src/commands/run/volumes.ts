import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { available } from '../../base/text/suggestion.ts';
import { ToolError } from '../../base/toolError.ts';
import { pairOf } from '../../kinds/common/client.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api } from '../call/api.ts';
import type { Call, Run } from '../call/command.ts';
import { type Item, openItem } from '../call/item.ts';
import { listOf, showList } from '../call/present.ts';
import { optionNames } from '../call/refs.ts';
import { isoOf, timeOf } from '../call/times.ts';
import { give } from './follow.ts';
import { confirm } from './remove.ts';

/** The maximum duration of an expansion on the platform, in seconds (platform/commands.types). */
const expansionSeconds = 600;

type SpecOf = (call: Call) => JsonObject;

/** The effect on each volume, and the question, such as `Shrink 2 volumes`. */
interface DataLoss {
  readonly line: (volume: string) => string;
  readonly act: (volumes: string, snapshot: string) => string;
}

/**
 * Sends one command for each volume that `--location` and `--volume-index` select; without them for all. `dataLoss`
 * must be confirmed first.
 */
function onVolumes(type: string, specOf: SpecOf, dataLoss?: DataLoss): Run {
  return async (call) => {
    const spec = specOf(call);
    const { api, path, record } = await volumeSetOf(call);
    const volumes = chosen(call, api, volumesOf(record));
    if (dataLoss !== undefined) {
      await confirm(
        call,
        volumes.map((volume) =>
          dataLoss.line(`volume ${numberAt(volume, 'index') ?? 0} in ${stringAt(volume, 'location')}`),
        ),
        { act: dataLoss.act(counted(volumes.length, 'volume'), call.given.text('snapshotName') ?? '') },
      );
    }
    const orders = volumes.map((volume) => ({
      type,
      spec: { location: stringAt(volume, 'location') ?? '', volumeIndex: numberAt(volume, 'index') ?? 0, ...spec },
    }));
    return give(call, api, path, orders);
  };
}

export const runExpand = onVolumes('expandVolume', (call) => ({
  newStorageCapacity: sizeOf(call),
  timeoutSeconds: call.given.count('timeoutSeconds') ?? expansionSeconds,
}));

export const runShrink = onVolumes('shrinkVolume', (call) => ({ newStorageCapacity: sizeOf(call) }), {
  line: (volume) => `shrink ${volume}; data that does not fit is lost`,
  act: (volumes) => `Shrink ${volumes}`,
});

export const runCreateSnapshot = onVolumes('createVolumeSnapshot', ({ given }) => {
  const expires = given.text('expires');
  const time = expires === undefined ? undefined : futureOf(expires);
  const tags = given.list('tag').map((text) => {
    const [key, value] = pairOf(text) ?? [text, ''];
    return { [key]: value };
  });
  return {
    snapshotName: given.text('snapshotName') ?? '',
    ...present({ snapshotExpirationDate: time }),
    ...nonEmpty({ snapshotTags: tags }),
  };
});

export const runDeleteSnapshot = onVolumes(
  'deleteVolumeSnapshot',
  ({ given }) => ({ snapshotName: given.text('snapshotName') ?? '' }),
  {
    line: (volume) => `delete the snapshot of ${volume}`,
    act: (volumes, snapshot) => `Delete snapshot ${snapshot} of ${volumes}`,
  },
);

export const runRestoreSnapshot = onVolumes(
  'restoreVolume',
  ({ given }) => {
    const zone = given.text('zone');
    return { snapshotName: given.text('snapshotName') ?? '', ...present({ zone }) };
  },
  {
    line: (volume) => `overwrite ${volume} with its snapshot; what was written since is lost`,
    act: (volumes, snapshot) => `Overwrite ${volumes} with snapshot ${snapshot}`,
  },
);

export const runDeleteVolume = onVolumes('deleteVolume', () => ({}), {
  line: (volume) => `delete ${volume}`,
  act: (volumes) => `Delete ${volumes}`,
});

/** `volumeset volume get REF`: the volumes, from the status of the set. */
export async function runGetVolumes(call: Call): Promise<Ending> {
  await showList(call, 'volume', listOf('volume', await shownVolumes(call)));
  return exitCode.ok;
}

/** `volumeset snapshot get REF`. */
export async function runGetSnapshots(call: Call): Promise<Ending> {
  const volumes = await shownVolumes(call);
  const snapshots = volumes.flatMap((volume) =>
    listAt(volume, 'volumeSnapshots')
      .filter(isObject)
      .map((snapshot) => ({
        ...snapshot,
        location: stringAt(volume, 'location') ?? '',
        volumeIndex: numberAt(volume, 'index') ?? 0,
      })),
  );
  await showList(call, 'snapshot', listOf('snapshot', snapshots));
  return exitCode.ok;
}

/** The selected volumes; empty if none is selected and there are none. */
async function shownVolumes(call: Call): Promise<readonly JsonObject[]> {
  const { api, record } = await volumeSetOf(call);
  const volumes = volumesOf(record);
  const asksForAll = !call.given.has('location') && !call.given.has('volumeIndex');
  return volumes.length === 0 && asksForAll ? [] : chosen(call, api, volumes);
}

async function volumeSetOf(call: Call): Promise<Item & { readonly record: JsonObject }> {
  const item = await openItem(call);
  return { ...item, record: await item.read() };
}

function volumesOf(record: JsonObject): readonly JsonObject[] {
  return listAt(objectAt(record, 'status'), 'locations')
    .filter(isObject)
    .flatMap((location) =>
      listAt(location, 'volumes')
        .filter(isObject)
        .map((volume) => ({ location: stringAt(location, 'name') ?? '', ...volume })),
    );
}

/** Errors: `cli.usage` if the volume does not exist. */
function chosen(call: Call, api: Api, volumes: readonly JsonObject[]): readonly JsonObject[] {
  const [location] = optionNames(call, api, 'location');
  const index = call.given.count('volumeIndex');
  const found = volumes.filter(
    (volume) =>
      (location === undefined || stringAt(volume, 'location') === location) &&
      (index === undefined || numberAt(volume, 'index') === index),
  );
  if (found.length > 0) return found;
  if (volumes.length === 0) {
    throw new ToolError({
      code: 'api.not-found',
      message: 'there is no volume yet',
      hint: 'Volumes are created when a workload that mounts the volume set is deployed.',
    });
  }
  const there = volumes.map((volume) => `${numberAt(volume, 'index')} in ${stringAt(volume, 'location')}`);
  throw new UsageError('there is no such volume', available(there));
}

function sizeOf({ given }: Call): number {
  return given.count('newSize') ?? 0;
}

/** `2026-01-31`, or `7d` from now. */
function futureOf(text: string): string {
  const nowMs = Date.now();
  const time = timeOf(text, nowMs);
  const isSpan = /^\d/.test(text) && !/^\d{4}-/.test(text);
  const expires = isSpan && time !== undefined ? isoOf(2 * nowMs - Date.parse(time)) : time;
  if (expires !== undefined) return expires;
  throw new UsageError(`--expires ${text} is not a valid time`, 'Give ISO 8601, or how long it is kept: 7d.');
}
