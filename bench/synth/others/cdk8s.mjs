// The benchmark stack with cdk8s: BENCH_N resources as manifests, in YAML as its command line writes them, or as JSON.
import { ApiObject, App, Chart } from 'cdk8s';

const { benchResources } = await import(process.env.BENCH_RESOURCES);

const app = new App();
const chart = new Chart(app, 'bench');
const add = (scope, kind, name, spec) =>
  new ApiObject(scope, `${kind}-${name}`, { apiVersion: 'bench/v1', kind, metadata: { name }, spec });

for (const group of benchResources(Number(process.env.BENCH_N), false)) {
  const gvc = add(chart, 'Gvc', group.name, group.spec);
  for (const { name } of group.identities) add(gvc, 'Identity', name, {});
  for (const { name, spec } of group.volumesets) add(gvc, 'VolumeSet', name, spec);
  for (const { name, spec } of group.workloads) add(gvc, 'Workload', name, spec);
}

console.log(process.env.BENCH_FORMAT === 'json' ? JSON.stringify(chart.toJson()).length : app.synthYaml().length);
