/**
 * The pure planner alone: BENCH_N resources of about 100 fields, 10 % changed, with proofs. Prints JSON
 * `{seconds, changes}`; its peak memory is measured from outside.
 */

import type { JsonObject } from '../src/base/json/json.ts';
import type { LiveResource, Snapshot } from '../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../src/manifest/model/manifest.ts';
import { makePlan } from '../src/plan/makePlan.ts';
import type { PlanOptions } from '../src/plan/model/planOptions.ts';
import { formatRef, type Ref } from '../src/schema/record/ref.ts';
import { options as usual } from '../test/plan/world.ts';
import { benchResources } from './resources.ts';

const total = Number(process.env['BENCH_N'] ?? '10000');
const options: PlanOptions = { ...usual, owner: 'bench' };

function desiredOf(changed: boolean): DesiredResource[] {
  const resources: DesiredResource[] = [];
  const locate = () => ({ file: 'bench', line: 1, column: 1 });
  const add = (ref: Ref & Pick<DesiredResource['ref'], 'kind'>, record: JsonObject) =>
    resources.push({ ref, id: formatRef(ref), record: { name: ref.name, ...record }, lifecycle: {}, locate });
  for (const gvc of benchResources(total, changed)) {
    add({ kind: 'gvc', name: gvc.name }, { spec: gvc.spec });
    for (const { name } of gvc.identities) add({ kind: 'identity', gvc: gvc.name, name }, {});
    for (const { name, spec } of gvc.volumesets) add({ kind: 'volumeset', gvc: gvc.name, name }, { spec });
    for (const { name, spec } of gvc.workloads) add({ kind: 'workload', gvc: gvc.name, name }, { spec });
  }
  return resources;
}

function snapshotOf(resources: ReadonlyMap<string, LiveResource>): Snapshot {
  return { org: 'local', resources, closures: new Map(), unrevealed: new Set(), directives: 'all', requests: 0 };
}

function location(name: string): LiveResource {
  const ref = { kind: 'location', name } as const;
  return { ref, id: formatRef(ref), uid: name, version: 1, record: { name, spec: { enabled: true } } };
}

const locations = new Map(['aws-us-west-2', 'gcp-us-east1'].map((name) => [`location/${name}`, location(name)]));
const first = makePlan(desiredOf(false), snapshotOf(locations), options);
const live = new Map<string, LiveResource>(locations);
for (const change of first.changes) {
  const record = change.create?.expose();
  if (record === undefined) throw new Error(`${change.id} is not created`);
  live.set(change.id, {
    ref: change.ref,
    id: change.id,
    uid: change.id,
    version: 1,
    record: { ...record, id: change.id, version: 1, description: change.name },
  });
}

const desired = desiredOf(true);
const snapshot = snapshotOf(live);
const started = performance.now();
const plan = makePlan(desired, snapshot, options);
const seconds = (performance.now() - started) / 1000;
const changes = plan.changes.filter((change) => change.action === 'patch').length;
console.log(JSON.stringify({ seconds, changes, resources: desired.length }));
