import { compact, present } from '../../base/json/present.ts';
import {
  askOptions,
  type ClientFacts,
  countOption,
  member,
  numberOption,
  oneLocation,
  requireUnwritten,
  tagOption,
  type Verb,
  waitOptions,
} from '../common/client.ts';

const oneVolume = countOption('--volume-index <n>', 'only this volume');

export const volumesetClient: ClientFacts = {
  columns: [
    'name',
    'description',
    'gvc',
    'created',
    { ...member('PERFORMANCE CLASS', 'spec', 'performanceClass'), shortTitle: 'CLASS' },
    { ...member('FILE SYSTEM TYPE', 'spec', 'fileSystemType'), shortTitle: 'FS' },
    'tags',
  ],
  createOptions: [
    numberOption('--initial-capacity <gb>', 'capacity of each volume, in GB', { defaultText: '10' }),
    {
      flags: '--performance-class <class>',
      about: 'performance class (default: general-purpose-ssd; shared for a shared file system)',
      choices: ['general-purpose-ssd', 'high-throughput-ssd', 'shared'],
    },
    {
      flags: '--file-system-type <type>',
      about: 'file system of the volumes',
      choices: ['ext4', 'xfs', 'shared'],
      defaultText: 'xfs',
    },
    { flags: '--retention-duration <time>', about: 'how long snapshots are kept', defaultText: '7d' },
    { flags: '--schedule <cron>', about: 'schedule of snapshots' },
    { flags: '--no-final-snapshot', about: 'make no snapshot when it is deleted' },
  ],
  create: (options) => {
    const shared = options.text('fileSystemType') === 'shared';
    if (shared) {
      const ofSnapshots = ['retentionDuration', 'schedule', 'finalSnapshot'];
      requireUnwritten(options, ofSnapshots, 'with --file-system-type shared, which has no snapshots');
    }
    return {
      spec: {
        initialCapacity: options.count('initialCapacity') ?? 10,
        performanceClass: options.text('performanceClass') ?? (shared ? 'shared' : 'general-purpose-ssd'),
        fileSystemType: options.text('fileSystemType') ?? 'xfs',
        ...present({
          snapshots: shared
            ? undefined
            : {
                createFinalSnapshot: options.flag('finalSnapshot'),
                retentionDuration: options.text('retentionDuration') ?? '7d',
                ...present({ schedule: options.text('schedule') }),
              },
        }),
      },
    };
  },
  verbs: [
    ...(['expand', 'shrink'] as const).map(
      (verb): Verb => ({
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
          oneVolume,
          ...waitOptions,
        ],
        result: 'items',
        calls: `GET item, POST item/-command ${verb}Volume, one for each volume`,
        run: `${verb}Volumes`,
      }),
    ),
    ...(['create', 'get', 'delete', 'restore'] as const).map(
      (verb): Verb => ({
        verb: `snapshot ${verb}`,
        about: {
          create: 'make snapshots of the volumes of a volume set',
          get: 'list the snapshots of a volume set',
          delete: 'delete a snapshot',
          restore: 'restore a snapshot; what was written since is lost',
        }[verb],
        args: ['<ref>'],
        options: compact([
          verb === 'get'
            ? undefined
            : { flags: '--snapshot-name <name>', about: 'name of the snapshot', required: true as const },
          ...(verb === 'create'
            ? [
                { flags: '--expires <time>', about: 'when it is deleted: ISO 8601, or how long it is kept (7d)' },
                tagOption,
              ]
            : []),
          verb === 'restore' ? { flags: '--zone <name>', about: 'the zone of the volume' } : undefined,
          oneLocation,
          oneVolume,
          ...(verb === 'delete' || verb === 'restore' ? askOptions : []),
          ...(verb === 'get' ? [] : waitOptions),
        ]),
        result: 'items',
        calls: verb === 'get' ? 'GET item' : 'GET item, POST item/-command, one for each volume',
        run: `${verb}Snapshots`,
      }),
    ),
    {
      verb: 'volume get',
      about: 'list the volumes of a volume set',
      args: ['<ref>'],
      options: [oneLocation, oneVolume],
      result: 'document',
      calls: 'GET item',
      run: 'getVolumes',
    },
    {
      verb: 'volume delete',
      about: 'delete volumes with their data',
      args: ['<ref>'],
      options: [oneLocation, oneVolume, ...askOptions, ...waitOptions],
      result: 'items',
      calls: 'GET item, POST item/-command deleteVolume, one for each volume',
      run: 'deleteVolumes',
    },
  ],
};
