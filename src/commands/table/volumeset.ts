import type { CommandRow } from '../call/command.ts';
import { askOptions, countOption, numberOption, oneLocation, tagOption, waitOptions } from './options.ts';

const volumes = () => import('../run/volumes.ts');

/** Commands of volume sets alone (platform/clients.kinds). */
export const volumeSetRows: readonly CommandRow[] = [
  ...(['expand', 'shrink'] as const).map(
    (verb): CommandRow => ({
      verb,
      about:
        verb === 'expand'
          ? 'make the volumes of a volume set larger'
          : 'make the volumes of a volume set smaller; data that does not fit is lost',
      args: ['<ref>'],
      options: [
        numberOption('--new-size <gb>', 'the new size of each volume, in GB', { required: true }),
        ...(verb === 'expand'
          ? [countOption('--timeout-seconds <n>', 'how long the platform may take (default: 600)')]
          : askOptions),
        oneLocation,
        countOption('--volume-index <n>', 'only this volume'),
        ...waitOptions,
      ],
      result: 'items',
      calls: `GET item, POST item/-command ${verb}Volume, one for each volume`,
      load: async () => (verb === 'expand' ? (await volumes()).runExpand : (await volumes()).runShrink),
    }),
  ),
  ...(['create', 'get', 'delete', 'restore'] as const).map(
    (verb): CommandRow => ({
      verb: `snapshot ${verb}`,
      about: {
        create: 'make snapshots of the volumes of a volume set',
        get: 'list the snapshots of a volume set',
        delete: 'delete a snapshot',
        restore: 'restore a snapshot; what was written since is lost',
      }[verb],
      args: ['<ref>'],
      options: [
        ...(verb === 'get'
          ? []
          : [{ flags: '--snapshot-name <name>', about: 'name of the snapshot', required: true as const }]),
        ...(verb === 'create'
          ? [
              { flags: '--expires <time>', about: 'when it is deleted: ISO 8601, or how long it is kept (7d)' },
              tagOption,
            ]
          : []),
        ...(verb === 'restore' ? [{ flags: '--zone <name>', about: 'the zone of the volume' }] : []),
        oneLocation,
        countOption('--volume-index <n>', 'only this volume'),
        ...(verb === 'delete' || verb === 'restore' ? askOptions : []),
        ...(verb === 'get' ? [] : waitOptions),
      ],
      result: 'items',
      calls: verb === 'get' ? 'GET item' : 'GET item, POST item/-command, one for each volume',
      load: async () => {
        const { runCreateSnapshot, runGetSnapshots, runDeleteSnapshot, runRestoreSnapshot } = await volumes();
        return {
          create: runCreateSnapshot,
          get: runGetSnapshots,
          delete: runDeleteSnapshot,
          restore: runRestoreSnapshot,
        }[verb];
      },
    }),
  ),
  {
    verb: 'volume get',
    about: 'list the volumes of a volume set',
    args: ['<ref>'],
    options: [oneLocation, countOption('--volume-index <n>', 'only this volume')],
    result: 'document',
    calls: 'GET item',
    load: async () => (await volumes()).runGetVolumes,
  },
  {
    verb: 'volume delete',
    about: 'delete volumes with their data',
    args: ['<ref>'],
    options: [oneLocation, countOption('--volume-index <n>', 'only this volume'), ...askOptions, ...waitOptions],
    result: 'items',
    calls: 'GET item, POST item/-command deleteVolume, one for each volume',
    load: async () => (await volumes()).runDeleteVolume,
  },
];
