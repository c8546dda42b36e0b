import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue, mapMembers } from '../../../src/base/json/json.ts';
import { linkPackages } from '../../cli/projectFolder.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('awaited');

/** The stack `net` has the workload web; the stack `shop` has the workload api, which takes the address of web. */
function app(name: string) {
  const cwd = mkdtempSync(join(root, name));
  linkPackages(cwd);
  const declare = (port: number) =>
    writeFileSync(
      join(cwd, 'stack.ts'),
      `import { App, Gvc, Stack, Workload } from 'gantry';
const app = new App();
const net = new Stack(app, 'net', { name: '${name}-net' });
const shop = new Stack(app, 'shop', { name: '${name}-shop' });
const gvc = new Gvc(net, '${name}', { locations: ['aws-eu-central-1'] });
const web = new Workload(gvc, 'web', { type: 'serverless', containers: [
  { name: 'main', image: 'web:1', ports: [{ number: ${port}, protocol: 'http' }] }] });
new Workload(shop, 'api', { gvc, type: 'standard', containers: [{ name: 'main', image: 'api:1', env: { WEB: web.url } }] });
export default app;
`,
    );
  const apply = (...more: readonly string[]) =>
    inProcess(platform, ['apply', '.', '--all', '--yes', '-o', 'json', ...more], { cwd });
  return { declare, apply };
}

const movedTo = 'https://moved.example.com';

/** A proxy that changes the address of web some time after its ports were patched, when web is ready already. */
function movingLate(name: string, lateMs: number) {
  const path = `/org/local/gvc/${name}/workload/web`;
  let movesAtMs = Number.POSITIVE_INFINITY;
  const moved = (value: JsonValue): JsonValue =>
    isArray(value) ? value.map(moved) : isObject(value) ? shown(value) : value;
  const shown = (record: JsonObject): JsonObject => {
    const isWeb = JSON.stringify(record['links'] ?? []).includes(`"${path}"`) && Date.now() >= movesAtMs;
    return isWeb ? { ...record, status: { canonicalEndpoint: movedTo } } : mapMembers(record, moved);
  };
  return startProxy(platform.url, async ({ method, path: asked, body }) => {
    if (method === 'PATCH' && asked === path) movesAtMs = Date.now() + lateMs;
    const isRead = method === 'GET' || asked.includes('-query');
    if (!isRead || !/discovery|workload/.test(asked) || asked.includes('/deployment')) return 'pass';
    const answer = await platform.call(method, asked, body === '' ? undefined : JSON.parse(body));
    const { status: _, ...said } = answer.body;
    return { status: answer.status, body: asked.startsWith('/discovery') ? said : shown(answer.body) };
  });
}

test('a later stack awaits a value that an earlier stack may have changed, even if it changes late', async () => {
  const it = app('late');
  it.declare(8080);
  await succeeded(it.apply());
  it.declare(8081);
  const proxy = await movingLate('late', 2_500);
  try {
    const { stdout } = await succeeded(it.apply('--endpoint', proxy.url, '--consistency-timeout', '6s'));
    const [, shop] = JSON.parse(stdout).stacks;
    expect(shop.changes[0].awaits).toEqual(['${live.workload/late/web:status.canonicalEndpoint}']);
    const { body } = await platform.call('GET', '/org/local/gvc/late/workload/api');
    expect(JSON.stringify(body)).toContain(`"${movedTo}"`);
  } finally {
    await proxy.close();
  }
});

test('after --wait on a platform whose status is final at readiness, the later plan knows the value', async () => {
  const it = app('settled');
  it.declare(8080);
  await succeeded(it.apply());
  it.declare(8081);
  const { stacks } = JSON.parse((await succeeded(it.apply('--wait'))).stdout);
  expect(stacks[1].changes.map(({ action }: { action: string }) => action)).toEqual(['keep']);
});
