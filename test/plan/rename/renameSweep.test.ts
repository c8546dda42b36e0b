import { expect, test } from 'vitest';
import type { Scenario } from '../../e2e/harness/scenario.ts';
import { Dice } from '../../fuzz/dice.ts';
import { crashAt } from '../../sweeps/crash.ts';
import { isWhole, seed } from '../../sweeps/harness/budget.ts';
import { crashPointsOfWriting, sample } from '../../sweeps/harness/points.ts';
import { eachStep } from '../../sweeps/harness/scenarioSteps.ts';
import { openWorld } from '../../sweeps/harness/world.ts';
import { meet, meetingsOf, prepare } from '../../sweeps/race.ts';
import type { RaceStack } from '../../sweeps/raceStacks.ts';

/** Every possible referrer to a workload, and a database that is deleted before the new one is created. */
const stack = (site: string, database: string, lifecycle: (previously: string) => string) => `
kind: gvc
name: lane
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}, aliasWorkloadLink: //gvc/lane/workload/${site}}
---
kind: volumeset
gvc: lane
name: rows
spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: 10}
---
kind: workload
gvc: lane
name: ${site}
${lifecycle('site')}
spec: {type: serverless, containers: [{name: main, image: "registry.example.com/site:1", ports: [{number: 8080}]}]}
---
kind: workload
gvc: lane
name: ${database}
${lifecycle('base')}
spec:
  type: stateful
  firewallConfig: {internal: {inboundAllowType: workload-list, inboundAllowWorkload: [//gvc/lane/workload/${site}]}}
  containers:
    - name: main
      image: registry.example.com/db:1
      ports: [{number: 5432, protocol: tcp}]
      volumes: [{uri: "scheme://volumeset/rows", path: /rows}]
---
kind: policy
name: lane-viewers
targetKind: workload
targetLinks: [//gvc/lane/workload/${site}]
bindings: [{permissions: [view], principalLinks: [//group/lane-people]}]
---
kind: group
name: lane-people
---
kind: domain
name: lane.com
spec: {ports: [{routes: [{prefix: /, workloadLink: //gvc/lane/workload/${site}}]}]}
`;

const before = stack('site', 'base', () => '');
const after = stack('front', 'store', (previously) => `lifecycle: {previously: ${previously}, replace: true}`);

// biome-ignore format: a row is a case
const scenario: Scenario = {
  number: 90,
  title: 'renaming of workloads',
  steps: [{ it: 'begins', manifests: before, actions: {} }, { it: 'renames both', manifests: after, actions: {} }],
};

/** `npm run sweep` runs every point, a test run a sample. */
const sampled = 6;

test('a renaming that is killed at any write and run again has the same result as without the kill (law 5)', async () => {
  let swept = 0;
  const failures: string[] = [];
  await eachStep(scenario, async (step, world) => {
    if (step.it !== 'renames both') return;
    const points = crashPointsOfWriting(step);
    expect(points.length).toBeGreaterThan(20);
    for (const point of isWhole ? points : sample(points, sampled, new Dice(`${seed}/rename`))) {
      swept += 1;
      await crashAt(step, world, point).catch((error: unknown) => {
        failures.push(`request ${point.request} of ${step.requests}, ${point.moment}: ${String(error)}`);
      });
    }
  });
  expect(failures).toEqual([]);
  expect(swept).toBeGreaterThanOrEqual(sampled);
});

// biome-ignore format: a row is a case
const race: RaceStack = {
  it: 'renaming of workloads',
  from: before,
  to: after,
  targets: ['workload/lane/site', 'workload/lane/front', 'workload/lane/base', 'domain/lane.com',
    'policy/lane-viewers'],
};

test('another writer during a renaming: it converges or gives the reason, and no value of the writer is lost', async () => {
  const world = await openWorld();
  const failures: string[] = [];
  try {
    const prepared = await prepare(world, race);
    const whole = meetingsOf(race, prepared);
    for (const meeting of isWhole ? whole : sample(whole, sampled * 2, new Dice(`${seed}/rename race`))) {
      await meet(world, prepared, meeting).catch((error: unknown) => {
        failures.push(`request ${meeting.request}, another ${meeting.deed}: ${meeting.target}: ${String(error)}`);
      });
    }
  } finally {
    await world.close();
  }
  expect(failures).toEqual([]);
});
