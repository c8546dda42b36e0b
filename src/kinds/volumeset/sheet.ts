import { listAt, stringAt } from '../../base/json/json.ts';
import { usualPermissions } from '../common/facts.ts';
import type { Sheet } from '../common/sheet.ts';
import { volumesetFields } from './fields.ts';

/** Commands of clients on a volume set (platform/commands.types); each is a permission of its own. */
const volumeCommands = [
  'createVolumeSnapshot',
  'deleteVolume',
  'deleteVolumeSnapshot',
  'expandVolume',
  'replaceVolume',
  'restoreVolume',
  'shrinkVolume',
] as const;

/** Storage volumes for the workloads of one GVC (platform/volumeset). */
export const volumeset = {
  one: 'volume set',
  many: 'volume sets',
  about: 'Persistent volumes of the replicas of a stateful workload.',
  className: 'VolumeSet',
  props: 'spec',
  typeName: 'VolumeSetFields',
  usualName: 'data',
  hasQuota: true,
  /** All its volumes and snapshots are deleted; new ones are charged by the GB (platform/volumeset.classes). */
  permissions: [...usualPermissions, 'exec', ...volumeCommands.map((command) => `exec.${command}`)],
  risks: { create: 'cost-up', write: 'metadata', delete: 'data-loss' },
  storesData: true,
  renaming: { why: 'its data would be deleted with the old one', allowed: true },
  stillInUse: (status) => {
    const user = stringAt(status, 'usedByWorkload') ?? '';
    const used = listAt(status, 'workloadLinks').length > 0 || user !== '';
    return used ? 'its volumes to be unmounted' : undefined;
  },
  definition: volumesetFields,
  client: async () => (await import('./client.ts')).volumesetClient,
} satisfies Sheet;
