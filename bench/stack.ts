/** The benchmark stack in TypeScript: BENCH_N resources; BENCH_CHANGED=1 changes every tenth. */
import { App, Gvc, Identity, Stack, VolumeSet, Workload } from 'gantry';
import { benchResources } from './resources.ts';

const app = new App();
const stack = new Stack(app, 'bench');

for (const group of benchResources(Number(process.env['BENCH_N'] ?? '100'), process.env['BENCH_CHANGED'] === '1')) {
  const gvc = new Gvc(stack, group.name, group.spec);
  for (const identity of group.identities) new Identity(gvc, identity.name, {});
  for (const volumeset of group.volumesets) new VolumeSet(gvc, volumeset.name, volumeset.spec);
  for (const workload of group.workloads) new Workload(gvc, workload.name, workload.spec);
}

export default app;
