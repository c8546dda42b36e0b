import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import type { LoggedRequest } from '../harness/platform.ts';
import { startProxy } from '../harness/proxy.ts';
import { startGantry } from '../harness/running.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const folder = temporaryFolder('rename');
const platform = usePlatform(['--ready-after', '400ms']);
const run = (...args: readonly string[]) => inProcess(platform, args, { cwd: folder });

beforeAll(() => {
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: quay\n');
});

function write(name: string, lifecycle = ''): void {
  const text = `
kind: gvc
name: quay
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: workload
gvc: quay
name: ${name}
${lifecycle}
spec: {type: standard, containers: [{name: main, image: "registry.example.com/quay:1", ports: [{number: 8080}]}]}
---
kind: domain
name: quay.com
spec: {ports: [{routes: [{prefix: /, workloadLink: //gvc/quay/workload/${name}}]}]}
`;
  writeFileSync(join(folder, 'stack.yaml'), text);
}

/** The requests whose order matters: creations, readiness, moves and deletions. */
function told(requests: readonly LoggedRequest[]): readonly string[] {
  const lines = requests.flatMap(({ method, path, status }) => {
    if (path.endsWith('/-query') || status >= 400) return [];
    if (path.endsWith('/deployment')) return [`ready? ${path.split('/').at(-2)}`];
    return method === 'GET' ? [] : [`${method} ${path.replace('/org/local/', '')}`];
  });
  return lines.filter((line, index) => line !== lines[index - 1]);
}

const graph = ['POST gvc/quay/workload', 'ready? front', 'PATCH domain/quay.com', 'DELETE gvc/quay/workload/pier'];

async function reset(): Promise<void> {
  write('pier');
  await succeeded(run('apply', '.', '--yes'));
}

async function expectRenamed(): Promise<void> {
  await succeeded(run('plan', '.', '--detailed-exitcode'));
  expect((await platform.call('GET', '/org/local/gvc/quay/workload/pier')).status).toBe(404);
}

test('a rename is one plan: create, wait for readiness, move references, delete the old record', async () => {
  await reset();
  write('front', 'lifecycle: {previously: pier}');
  const planned = await run('plan', '.', '-o', 'json');
  expect(changesById(planned.stdout).get('workload/quay/front')).toMatchObject({
    action: 'create',
    renamedFrom: 'workload/quay/pier',
  });
  const text = await run('plan', '.');
  expect(text.stdout).toContain('it is the new name of workload/quay/pier');
  expect(text.stdout).toContain('it is renamed to workload/quay/front');

  const from = await platform.seen();
  await succeeded(run('apply', '.', '--yes'));
  await platform.seen();
  expect(told(platform.requests.slice(from))).toEqual(graph);
  await expectRenamed();
});

test.each([1, 2])(
  'killed after write %i, a rename is finished by the next run, which still waits for readiness',
  async (kill) => {
    writeFileSync(join(folder, 'stack.yaml'), '');
    await run('destroy', '--yes');
    await reset();
    write('front', 'lifecycle: {previously: pier}');
    let stop = () => {};
    const proxy = await startProxy(
      platform.url,
      () => 'pass',
      ({ isWrite, write: number }) => {
        if (isWrite && number === kill) stop();
      },
    );
    const running = startGantry(proxy.url, ['apply', '.', '--yes'], folder);
    stop = () => running.child.kill('SIGKILL');
    expect((await running.ended).signal).toBe('SIGKILL');
    await proxy.close();

    const from = await platform.seen();
    await succeeded(run('apply', '.', '--yes'));
    await platform.seen();
    expect(told(platform.requests.slice(from))).toEqual(kill === 2 ? ['ready? front', graph[3]] : graph.slice(1));
    await expectRenamed();
  },
);
