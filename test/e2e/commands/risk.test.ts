import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const cwd = temporaryFolder('risk');
writeFileSync(join(cwd, 'gantry.yaml'), 'stack: rows\nprice: {storageGbMonth: 0.1, currency: EUR}\n');
const platform = usePlatform();

/** A database with `replicas` to `most` replicas in two locations, each with a volume that grows to 50 GB. */
function manifests(replicas: number, most: number, image = 'db:1'): string {
  return `
kind: gvc
name: rows
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2, //location/aws-eu-central-1]}}
---
kind: volumeset
name: rows
gvc: rows
spec:
  fileSystemType: ext4
  performanceClass: general-purpose-ssd
  initialCapacity: 10
  autoscaling: {maxCapacity: 50, minFreePercentage: 10, scalingFactor: 1.2}
---
kind: workload
name: base
gvc: rows
spec:
  type: stateful
  containers:
    - name: main
      image: ${image}
      cpu: 100m
      memory: 128Mi
      volumes: [{uri: scheme://volumeset/rows, path: /rows}]
      ports: [{number: 80, protocol: tcp}]
  defaultOptions: {capacityAI: false, autoscaling: {metric: cpu, target: 50, minScale: ${replicas}, maxScale: ${most}}}
`;
}

function run(verb: string, text: string, ...flags: readonly string[]): Promise<Outcome> {
  writeFileSync(join(cwd, 'rows.yaml'), text);
  return inProcess(platform, [verb, '.', ...(verb === 'apply' ? ['--yes'] : []), ...flags], { cwd });
}

async function reservedGb(): Promise<unknown> {
  return (await platform.call('GET', '/org/local/gvc/rows/volumeset/rows/-bill')).body['reservedGb'];
}

test('the platform bills the GB that the plan announced', async () => {
  const first = await succeeded(run('apply', manifests(2, 3)));
  // Two replicas in two locations, at most three with 50 GB each.
  expect(first.stdout).toContain(
    'Storage: 0 GB reserved, 40 GB after, 300 GB if everything grows (0.00, 4.00, 30.00 EUR a month).\n',
  );
  expect(first.stdout).toContain('Worst risk: cost-up (');
  expect(await reservedGb()).toBe(40);

  const more = JSON.parse((await run('apply', manifests(3, 3), '-o', 'json')).stdout);
  expect(more.storage).toEqual({
    before: { gb: 40, cost: 4 },
    after: { gb: 60, cost: 6 },
    ceiling: { gb: 300, cost: 30 },
    currency: 'EUR',
    sets: [{ id: 'volumeset/rows/rows', before: 40, after: 60, ceiling: 300, concerned: true }],
  });
  expect(await reservedGb()).toBe(60);

  // Volumes stay when replicas are removed (platform/volumeset.volumes).
  const fewer = await run('apply', manifests(1, 1));
  expect(fewer.stdout).toContain('  ~ workload/rows/base (version 2)  capacity-down\n');
  expect(fewer.stdout).toContain('Storage: 60 GB reserved, 60 GB after, 300 GB if everything grows');
  expect(await reservedGb()).toBe(60);
});

test('limits of risk and changes refuse the plan and name the flag that permits it, and nothing is written', async () => {
  const limited = await run('apply', manifests(1, 1, 'db:2'), '--max-risk', 'metadata', '--max-changes', '0');
  expect(limited.code).toBe(3);
  expect(limited.stdout).toContain(
    'refused plan.risk: the risk is greater than metadata for workload/rows/base (rolling-restart)\n  To permit it: --max-risk=rolling-restart\n',
  );
  expect(limited.stdout).toContain(
    'refused plan.too-many-changes: 1 resource would be changed; at most 0 are allowed\n  To permit it: --max-changes=1\n',
  );
  const json = await run('plan', manifests(1, 1, 'db:2'), '-o', 'json');
  expect(JSON.parse(json.stdout).risk).toBe('rolling-restart');
  expect(changesById(json.stdout).get('workload/rows/base')).toMatchObject({
    risk: 'rolling-restart',
    fields: [{ path: 'spec.containers.main.image', old: 'db:1', new: 'db:2', risk: 'rolling-restart' }],
  });
  expect(
    (await run('apply', manifests(1, 1, 'db:2'), '--max-risk', 'rolling-restart', '--max-changes', '1')).code,
  ).toBe(0);
});

test('an invalid price is an error of gantry.yaml', async () => {
  writeFileSync(join(cwd, 'gantry.yaml'), 'stack: rows\nprice: {storageGbMonth: cheap, currency: EUR}\n');
  const wrong = await run('plan', manifests(1, 1));
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('settings.file');
  expect(wrong.stderr).toContain('price.storageGbMonth must be a number, 0 to 1,000,000, or one for each class');
});
