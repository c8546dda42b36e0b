import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStacks } from '../../../src/gantry/loading/openStacks.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';
import { quiet } from '../../surroundings.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';

const folder = temporaryFolder('ahead');

writeFileSync(join(folder, 'gantry.yaml'), 'stack: ahead\n');
writeFileSync(join(folder, 'right.yaml'), 'kind: group\nname: readers\n');
writeFileSync(join(folder, 'wrong.yaml'), 'kind: group\nname: Readers\n');

/** A platform that answers every request with this status, and the requests it got. */
async function refusing(status: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"message": "no"}');
  });
  const port = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, asked, [Symbol.dispose]: () => void server.close() };
}

test.each([401, 503])('problems of manifests are reported, not that the platform answers %i', async (status) => {
  using platform = await refusing(status);
  const { code, stderr } = await inProcess(platform, ['plan', 'wrong.yaml'], { cwd: folder });

  expect(stderr).toContain('1 problem; nothing was written');
  expect(stderr).not.toMatch(/again in|api\./);
  expect(code).toBe(1);
});

test('a refusal of the platform is reported if the manifests are valid', async () => {
  using platform = await refusing(401);
  const { stderr } = await inProcess(platform, ['plan', 'right.yaml'], { cwd: folder });
  expect(stderr).toContain('error api.unauthorized');
});

test('without an org no request is sent', async () => {
  using platform = await refusing(401);
  const { stderr } = await inProcess(platform, ['plan', 'right.yaml'], { cwd: folder, env: { GANTRY_ORG: '' } });
  expect(stderr).toContain('error settings.org');
  expect(platform.asked).toEqual([]);
});

test.each([
  { ms: 4_000, used: true },
  { ms: 6_000, used: false },
])('the first answers for a stack that was loaded in $ms ms are used: $used', async ({ ms, used }) => {
  using platform = await refusing(200);
  const times = [0, ms];
  const { stacks, platform: opened } = await openStacks(
    {
      ...quiet,
      options: { embedded: false },
      environment: { GANTRY_ENDPOINT: platform.url, GANTRY_ORG: 'local', GANTRY_TOKEN: 'x' },
      cwd: folder,
      now: () => times.shift() ?? ms,
    },
    ['right.yaml'],
    { all: false },
  );
  expect(stacks[0]?.first !== undefined).toBe(used);
  await opened.close();
});
