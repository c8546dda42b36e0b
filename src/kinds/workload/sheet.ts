import { usualPermissions } from '../common/facts.ts';
import type { Sheet } from '../common/sheet.ts';
import { workloadFields } from './fields.ts';

/** A set of containers of one type, run in the locations of its GVC (platform/workload). */
export const workload = {
  one: 'workload',
  many: 'workloads',
  about: 'Containers that run in every location of a GVC: a service, a cron job, or (an extension) a virtual machine.',
  className: 'Workload',
  props: 'spec',
  toldApartBy: 'type',
  typeName: 'WorkloadFields',
  usualName: 'web',
  hasQuota: true,
  /** A write of any field, of a tag too, makes a new version, which is rolled out. */
  permissions: [
    ...usualPermissions,
    'configureLoadBalancer',
    'connect',
    'exec',
    'exec.runCronWorkload',
    'exec.stopReplica',
  ],
  risks: { create: 'cost-up', write: 'rolling-restart', delete: 'downtime' },
  becomesReady: true,
  runs: true,
  definition: workloadFields,
  client: async () => (await import('./client.ts')).workloadClient,
} satisfies Sheet;
