import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isObject, numberAt, objectAt } from '../../../../src/base/json/json.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { changesById } from '../../harness/gantry.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const cwd = temporaryFolder('why');
const platform = usePlatform();
beforeAll(() => {
  writeFileSync(join(cwd, 'gantry.yaml'), 'stack: why\n');
});

const manifests = (image: string, cpu = '50m') => `kind: gvc
name: why
---
kind: workload
name: web
gvc: why
spec:
  type: standard
  containers:
    - {name: main, image: "${image}", cpu: ${cpu}, memory: 128Mi, ports: [{number: 8080}]}
`;

async function run(verb: string, text: string, ...flags: readonly string[]): Promise<string> {
  writeFileSync(join(cwd, 'all.yaml'), text);
  const { code, stdout, stderr } = await inProcess(platform, [verb, '.', ...flags], { cwd });
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

function requestsOf(plan: string): number {
  const parsed: unknown = JSON.parse(plan);
  return numberAt(objectAt(isObject(parsed) ? parsed : {}, 'requests'), 'snapshot') ?? 0;
}

test('a plan names whether the code or another client changed a resource, who and when', async () => {
  await run('apply', manifests('web:1'), '--yes');
  const before = await run('plan', manifests('web:2'), '-o', 'json');
  expect(changesById(before).get('workload/why/web')).toMatchObject({
    reason: 'changed in the code',
    cause: { code: true },
  });

  await platform.call('PATCH', '/org/local/gvc/why/workload/web', {
    spec: { '$patch/containers': [{ name: 'main', cpu: '200m' }] },
  });
  const by = String.raw`by admin@example\.com at \d{4}-\d\d-\d\d \d\d:\d\d UTC, after version 1`;
  expect(await run('plan', manifests('web:1'))).toMatch(new RegExp(`^ +changed ${by}$`, 'm'));
  expect(await run('plan', manifests('web:2'))).toMatch(new RegExp(`^ +changed in the code, and ${by}$`, 'm'));

  const after = await run('plan', manifests('web:2'), '-o', 'json');
  const writer = { name: 'admin@example.com', type: 'user', version: 2, at: expect.stringMatching(/^\d{4}-/) };
  expect(changesById(after).get('workload/why/web')).toMatchObject({
    cause: { code: true, others: [writer], since: 1 },
    fields: [
      { path: 'spec.containers.main.image', cause: { code: true } },
      { path: 'spec.containers.main.cpu', cause: { others: [writer] } },
    ],
  });
  // One audit trail is read, and none if the plan reverts no change by others.
  expect(requestsOf(after)).toBe(requestsOf(before) + 1);
  expect(requestsOf(await run('plan', manifests('web:1', '200m'), '-o', 'json'))).toBe(requestsOf(before));

  await run('plan', manifests('web:2'), '--out', 'why.plan');
  const kept = await inProcess(platform, ['explain', 'why.plan', 'workload/why/web'], { cwd });
  expect(kept.stdout).toMatch(new RegExp(`^ +why: changed in the code, and ${by}$`, 'm'));
});

test('a plan that recreates a resource names who deleted it', async () => {
  const secret = `${manifests('web:1')}---\nkind: secret\nname: why-key\ntype: opaque\ndata: {payload: abc}\n`;
  expect(await run('plan', secret)).toContain('\n      it does not exist yet\n');
  await run('apply', secret, '--yes');
  await platform.call('DELETE', '/org/local/secret/why-key');

  expect(await run('plan', secret)).toMatch(
    /^ {2}\+ secret\/why-key\n {6}it was deleted by admin@example\.com at \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m,
  );
  await run('apply', secret, '--yes');
  expect(await run('plan', secret)).toContain('No changes');
});
