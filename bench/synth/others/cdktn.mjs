// The benchmark stack with cdktn: BENCH_N resources as Terraform's JSON, written as its command line writes it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App, TerraformResource, TerraformStack } from 'cdktn';

const { benchResources } = await import(process.env.BENCH_RESOURCES);

class BenchResource extends TerraformResource {
  #spec;

  constructor(scope, id, kind, name, spec) {
    super(scope, id, { terraformResourceType: `bench_${kind}` });
    this.#spec = { name, spec };
  }

  synthesizeAttributes() {
    return this.#spec;
  }
}

const outdir = mkdtempSync(join(process.cwd(), 'out-'));
const app = new App({ outdir });
const stack = new TerraformStack(app, 'bench');
const add = (scope, kind, name, spec) => new BenchResource(scope, `${kind}-${name}`, kind, name, spec);

for (const group of benchResources(Number(process.env.BENCH_N), false)) {
  const gvc = add(stack, 'gvc', group.name, group.spec);
  for (const { name } of group.identities) add(gvc, 'identity', name, {});
  for (const { name, spec } of group.volumesets) add(gvc, 'volumeset', name, spec);
  for (const { name, spec } of group.workloads) add(gvc, 'workload', name, spec);
}

app.synth();
console.log(readFileSync(join(outdir, 'stacks/bench/cdk.tf.json'), 'utf8').length);
rmSync(outdir, { recursive: true, force: true });
