import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { token } from '../harness/platform.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const cwd = temporaryFolder('client-referenced');
const run = (...args: readonly string[]) => inProcess(platform, args, { cwd });
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function make(path: string, body: JsonObject): Promise<void> {
  const reply = await platform.call('POST', `/org/local/${path}`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
}

async function isThere(path: string): Promise<boolean> {
  return (await platform.call('GET', `/org/local/${path}`)).status === 200;
}

const secret = (name: string): JsonObject => ({ name, type: 'dictionary', data: { url: 'x' } });
const reading = (name: string, ...secrets: readonly string[]): JsonObject => ({
  name,
  spec: {
    type: 'standard',
    containers: [
      {
        name: 'main',
        image: 'web:1',
        cpu: '50m',
        memory: '128Mi',
        env: secrets.map((each) => ({ name: each.toUpperCase(), value: `scheme://secret/${each}.url` })),
      },
    ],
  },
});

/** A proxy for a token that may not list records of a kind, neither in the org nor in a GVC. */
async function withoutListsOf(kind: string): Promise<{ readonly url: string }> {
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    response.setHeader('content-type', 'application/json');
    if (path.endsWith(`/${kind}`)) {
      response.writeHead(403).end(JSON.stringify({ status: 403, code: 'forbidden', message: 'not for you', id: 'x' }));
      return;
    }
    const reply = await fetch(`${platform.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization: token },
    });
    response.writeHead(reply.status).end(await reply.text());
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${await listenOnLoopback(server)}` };
}

describe('a secret that workloads in two GVCs use', () => {
  beforeAll(async () => {
    for (const name of ['dbs', 'cache', 'free']) await make('secret', secret(name));
    for (const gvc of ['shop', 'side']) await make('gvc', { name: gvc });
    await make('gvc/shop/workload', reading('web', 'dbs', 'cache'));
    await make('gvc/side/workload', reading('job', 'dbs'));
  });
  const where = {
    shop: 'workload/shop/web needs it at spec.containers.main.env.DBS.value',
    side: 'workload/side/job needs it at spec.containers.main.env.DBS.value',
  };

  test('--yes alone does not delete it: exit 3, delete.referenced, and both workloads are named', async () => {
    const { code, stderr } = await run('secret', 'delete', 'dbs', '--yes');
    expect(code).toBe(3);
    expect(stderr).toContain('error delete.referenced: ');
    for (const line of Object.values(where)) expect(stderr).toContain(line.replace(' it ', ' secret/dbs '));
    expect(stderr).toContain('--allow-dangling=2');
    expect(await isThere('secret/dbs')).toBe(true);
  });

  test('--allow-dangling with another number than that of the workloads does not delete it', async () => {
    for (const number of ['1', '3']) {
      const { code, stderr } = await run('secret', 'delete', 'dbs', '--yes', '--allow-dangling', number);
      expect([number, code]).toEqual([number, 3]);
      expect(stderr).toContain('--allow-dangling=2');
    }
    expect(await isThere('secret/dbs')).toBe(true);
  });

  test('without a terminal, the list names the workloads and the number that --yes needs', async () => {
    const { code, stderr } = await run('secret', 'delete', 'dbs');
    expect(code).toBe(1);
    expect(stderr).toContain(`delete secret dbs\n  ${where.shop}\n  ${where.side}\n`);
    expect(stderr).toContain('then add --yes --allow-dangling=2.');
  });

  test('a workload that uses several of the deleted secrets counts once, and no secret is deleted', async () => {
    const { code, stderr } = await run('secret', 'delete', 'free', 'cache', 'dbs', '--yes');
    expect(code).toBe(3);
    expect(stderr).toContain('workload/shop/web needs secret/cache at spec.containers.main.env.CACHE.value');
    expect(stderr).toContain('--allow-dangling=2');
    for (const name of ['free', 'cache', 'dbs']) expect([name, await isThere(`secret/${name}`)]).toEqual([name, true]);
  });

  test('a token that may not list workloads gets a warning, and deletes it', async () => {
    const proxy = await withoutListsOf('workload');
    const { code, stderr } = await inProcess(proxy, ['secret', 'delete', 'free'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('delete secret free\nnot known: which workloads need it');
    const deleted = await succeeded(inProcess(proxy, ['secret', 'delete', 'free', '--yes'], { cwd }));
    expect(deleted.stderr).toContain('not known: which workloads need it');
    expect(await isThere('secret/free')).toBe(false);
  });

  test('deletes a GVC with unlisted content only by --force', async () => {
    const proxy = await withoutListsOf('workload');
    const said = async (line: string) => {
      const { code, stderr } = await inProcess(proxy, ['gvc', ...line.split(' ')], { cwd });
      return `${code}: ${stderr}`;
    };
    const unknown =
      /^3: error delete\.closure-unknown: it is not known what is in the GVC side: .*; nothing was deleted\n/;
    expect(await said('delete side --yes')).toMatch(new RegExp(`${unknown.source}.*gvc delete side --force`));
    const all = await said('delete-all-workloads side --yes');
    expect(all).toMatch(new RegExp(`${unknown.source}.*gantry workload delete NAME --gvc side`));
    expect(await said('delete side --force')).toContain('  with every workload that the platform does not list\n');
    expect(await isThere('gvc/side')).toBe(true);
  });

  test('--allow-dangling with the exact number deletes it', async () => {
    await succeeded(run('secret', 'delete', 'dbs', '--yes', '--allow-dangling', '2'));
    expect(await isThere('secret/dbs')).toBe(false);
  });
});

test('an identity that a workload runs as is not deleted, and no flag is offered, as the platform refuses it too', async () => {
  await make('gvc', { name: 'ident' });
  await make('gvc/ident/identity', { name: 'api' });
  const web = reading('web');
  await make('gvc/ident/workload', { ...web, spec: { ...Object(web['spec']), identityLink: '//identity/api' } });
  const { code, stderr } = await run('identity', 'delete', 'api', '--gvc', 'ident', '--yes');
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(
      'error delete.referenced: workload/ident/web needs identity/ident/api at spec.identityLink',
    ),
  ]);
  expect(stderr).not.toContain('--allow-dangling');
});

describe('a workload that a domain routes to', () => {
  beforeAll(async () => {
    await make('gvc', { name: 'routed' });
    await make('gvc/routed/workload', reading('web'));
    await make('domain', { name: 'shop.example.com', spec });
  });

  const route = { prefix: '/', workloadLink: '//gvc/routed/workload/web' };
  const spec = { dnsMode: 'cname', ports: [{ number: 443, protocol: 'http2', routes: [route] }] };

  test.each([
    ['its GVC', ['gvc', 'delete', 'routed', '--force', '--yes']],
    ['all workloads of its GVC', ['gvc', 'delete-all-workloads', 'routed', '--yes']],
    ['the workload itself', ['workload', 'delete', 'web', '--gvc', 'routed', '--yes']],
  ])('blocks the deletion of %s', async (_, line) => {
    const { code, stderr } = await run(...line);
    expect(code).toBe(3);
    expect(stderr).toMatch(/domain\/shop\.example\.com needs workload\/routed\/web at spec\.ports\.\S+workloadLink/);
    expect(await isThere('gvc/routed/workload/web')).toBe(true);
  });

  test('--allow-dangling with the right number deletes it', async () => {
    await succeeded(run('gvc', 'delete-all-workloads', 'routed', '--yes', '--allow-dangling', '1'));
    expect(await isThere('gvc/routed/workload/web')).toBe(false);
  });
});

test('deleting a record of a kind that nothing can reference lists no other records', async () => {
  await make('group', { name: 'quiet' });
  const before = await platform.seen();
  await succeeded(run('group', 'delete', 'quiet', '--yes'));
  const after = await platform.seen();
  const paths = platform.requests.slice(before, after - 1).map(({ method, path }) => `${method} ${path}`);
  expect(paths).toEqual(['GET /org/local/group/quiet', 'DELETE /org/local/group/quiet']);
});
