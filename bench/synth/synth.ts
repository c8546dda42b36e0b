/** BENCH_N constructs to JSON text, with the constructs of this package or (BENCH_BARE=1) with bare ones. */
import { Construct, RootConstruct } from 'constructs';
import { benchResources } from '../resources.ts';

const groups = benchResources(Number(process.env['BENCH_N'] ?? '10000'), false);

if (process.env['BENCH_BARE'] === '1') {
  const root = new RootConstruct();
  const made: unknown[] = [];
  const add = (scope: Construct, kind: string, name: string, spec: unknown): Construct => {
    made.push({ kind, name, spec });
    return new Construct(scope, `${kind}-${name}`);
  };
  for (const group of groups) {
    const gvc = add(root, 'gvc', group.name, group.spec);
    for (const { name } of group.identities) add(gvc, 'identity', name, undefined);
    for (const { name, spec } of group.volumesets) add(gvc, 'volumeset', name, spec);
    for (const { name, spec } of group.workloads) add(gvc, 'workload', name, spec);
  }
  console.log(JSON.stringify(made).length);
} else {
  const { default: app } = await import('../stack.ts');
  console.log(JSON.stringify(app.synth().map(({ value }) => value)).length);
}
