import { createServer } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { doctorSchema } from '../../src/cli/schemas/commands.ts';
import { makeClient } from '../../src/client/client.ts';
import { Asker } from '../../src/gantry/asker.ts';
import { examineByWriting } from '../../src/gantry/examineByWriting.ts';
import { platformFileSchema } from '../../src/project/platform/keptCapabilities.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import type { Outcome } from '../outcome.ts';
import { startCli } from './process.ts';
import { useProjectFolder } from './projectFolder.ts';

const platform = usePlatform();
const project = useProjectFolder('doctor');
const canaries = ['canary-gvc', 'canary-secret', 'canary-value', 'canary-tag', 'e2e-token'];

beforeAll(async () => {
  await platform.call('POST', '/org/local/gvc', { name: 'canary-gvc', tags: { team: 'canary-tag' } });
  const data = { encoding: 'plain', payload: 'canary-value' };
  await platform.call('POST', '/org/local/secret', { name: 'canary-secret', type: 'opaque', data });
});
beforeEach(() => project.write('gantry.yaml', 'stack: shop\n'));

const doctor = (...args: readonly string[]): Promise<Outcome> =>
  inProcess(platform, ['doctor', ...args], { cwd: project.path });
const run = (...args: readonly string[]): Promise<Outcome> => inProcess(platform, args, { cwd: project.path });

/** A platform with these answers. */
async function other(answer: (path: string, method: string) => { status: number; body?: unknown }): Promise<string> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? '', request.method ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? { status }));
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

const obeys = (schema: JsonObject, text: string): unknown => {
  const check = new Ajv2020({ strict: false }).compile(schema);
  const parsed: unknown = JSON.parse(text);
  check(parsed);
  expect(check.errors).toBeNull();
  return parsed;
};

test('a GVC that appears after its creation was answered with 500 is deleted', async () => {
  let comesMs = Number.POSITIVE_INFINITY;
  let isDeleted = false;
  const url = await other((path, method) => {
    const name = /\/gvc\/(gantry-doctor-\w+)$/.exec(path)?.[1];
    if (method === 'POST' && path.endsWith('/gvc')) {
      comesMs = performance.now() + 100;
      return { status: 500 };
    }
    if (name === undefined)
      return method === 'GET' ? { status: 200, body: { kind: 'list', items: [] } } : { status: 404 };
    if (performance.now() < comesMs || isDeleted) return { status: 404 };
    isDeleted = method === 'DELETE';
    return { status: 200, body: { kind: 'gvc', name, id: 'id', version: 1, tags: { 'gantry/doctor': name } } };
  });
  const { stderr } = await inProcess({ url }, ['doctor', '--write', '--yes'], { cwd: project.path });
  expect(stderr).not.toContain('could not be deleted');
  expect(isDeleted).toBe(true);
}, 30_000);

describe('a server that accepts connections and never answers', () => {
  /** A server that records its requests and answers none. */
  async function silent(): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
    const asked: string[] = [];
    const server = createServer(({ url = '' }) => void asked.push(url));
    const port = await listenOnLoopback(server);
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return { url: `http://127.0.0.1:${port}`, asked };
  }

  test('is reported while waiting, and is an error when the first requests time out', async () => {
    const { url, asked } = await silent();
    const { code, stderr } = await inProcess({ url }, ['doctor'], { cwd: project.path });
    expect(code).toBe(6);
    expect(stderr).toContain(`${url.slice(7)} has not answered yet; each answer is waited for 5 s at most …`);
    expect(stderr).toContain('the answer was not complete after 5 s');
    expect(asked).toHaveLength(8); // all at the same time, and no later ones
  }, 12_000);

  test.each([[[]], [['--write', '--yes']]])('is interrupted immediately by SIGINT: doctor %j', async (flags) => {
    const { url } = await silent();
    project.write('gantry.yaml', `stack: shop\norg: acme\nendpoint: ${url}\n`);
    const { child, line, ended } = startCli(['doctor', ...flags], project.path);
    await line(/has not answered yet/);
    const began = performance.now();
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe('on the embedded platform', () => {
  test('every checked assumption holds, in less than 3 s, and nothing is written', async () => {
    const before = await platform.seen();
    const began = performance.now();
    const { code, stdout } = await doctor();
    expect(performance.now() - began).toBeLessThan(3000);
    expect(code).toBe(0);
    expect(stdout).not.toContain('It does not hold');
    expect(stdout).toMatch(/✓ secret\.reveal: /);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const writes = platform.requests
      .slice(before)
      .filter(({ method, path }) => method !== 'GET' && !path.includes('/-query'));
    expect(writes).toEqual([]);
  });

  test('the document follows its schema, and contains no token, name or value', async () => {
    const { code, stdout, stderr } = await doctor('-o', 'json');
    expect(code).toBe(0);
    expect(obeys(doctorSchema, stdout)).toMatchObject({ formatVersion: 1, usable: true, missing: [] });
    const { stdout: text } = await doctor('--out', 'gantry.platform.json');
    for (const canary of canaries) {
      for (const said of [stdout, stderr, text, project.read('gantry.platform.json')])
        expect(said).not.toContain(canary);
    }
  });
});

describe('--write', () => {
  const gvcs = async (): Promise<unknown> => (await platform.call('GET', '/org/local/gvc')).body['items'];

  test('on the embedded platform every checked assumption holds, and nothing is left behind', async () => {
    const before = await gvcs();
    const { code, stdout } = await doctor('--write', '--yes', '-o', 'json');
    const { assumptions, ...document } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(document).toMatchObject({ wrote: true, usable: true });
    const asked = assumptions.filter(({ state }: JsonObject) => state !== 'not-knowable');
    expect(asked.filter(({ state }: JsonObject) => state === 'otherwise')).toEqual([]);
    expect(asked.filter(({ because }: JsonObject) => because === 'gantry doctor --write asks it')).toEqual([]);
    expect(await gvcs()).toEqual(before);
  });

  test('needs a confirmation, and writes nothing without it', async () => {
    const before = await platform.seen();
    const { code, stderr } = await doctor('--write');
    expect(code).toBe(1);
    expect(stderr).toMatch(/makes the GVC gantry-doctor-[0-9a-f]{8} in the org local.*error doctor\.not-confirmed/s);
    const written = platform.requests.slice(before).filter(({ method }) => method === 'POST' || method === 'DELETE');
    expect(written).toEqual([]);
  });

  test('deletes what it has created if it is interrupted', async () => {
    const before = await gvcs();
    // Slow enough that the test sees the GVC while it exists.
    await platform.call('POST', '/-faults', { faults: [{ probability: 1, latency: '100ms' }] });
    onTestFinished(() => void platform.call('DELETE', '/-faults'));
    const running = doctor('--write', '--yes');
    await expect.poll(async () => JSON.stringify(await gvcs())).toContain('gantry-doctor-');
    process.emit('SIGINT');
    const { code, stderr } = await running;
    expect([code, stderr.includes('Interrupted: deleting the GVC gantry-doctor-')]).toEqual([130, true]);
    expect(await gvcs()).toEqual(before);
  });

  test('reports that its GVC could not be deleted', async () => {
    const records = new Map<string, JsonObject>();
    const endpoint = await other((path, method) => {
      const gvc = '/org/local/gvc';
      if (method === 'POST' && path === gvc) {
        records.set('made', { id: 'a', name: 'gantry-doctor', kind: 'gvc', version: 1, tags: {}, links: [] });
        return { status: 201, body: records.get('made') };
      }
      if (method === 'DELETE') return { status: 500 };
      if (method === 'GET' && path.startsWith(`${gvc}/gantry-doctor`) && records.size > 0) {
        return path.endsWith('workload') ? { status: 404 } : { status: 200, body: records.get('made') };
      }
      return path.startsWith('/org/local') && method === 'GET' && !path.includes('gantry')
        ? { status: 200, body: { items: [] } }
        : { status: 404 };
    });
    const client = makeClient({ endpoint, token: 'k', org: 'local' });
    const isRemoved = await examineByWriting(
      new Asker(client, 300),
      'local',
      'gantry-doctor',
      new AbortController().signal,
    );
    expect([isRemoved, records.size]).toEqual([false, 1]);
  });
});

describe('a platform that lacks a feature', () => {
  test('that every plan needs ends with 3, and names it', async () => {
    const endpoint = await other((path, method) => {
      if (method === 'POST' || /^\/org\/local\/[a-z]+(\?|$)/.test(path)) {
        return { status: 200, body: { items: [{ id: 'a', name: 'b', kind: 'gvc', version: 'x1', links: [] }] } };
      }
      return { status: 405 };
    });
    const { code, stdout } = await doctor('--endpoint', endpoint, '--token', 'k', '-o', 'json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      usable: false,
      missing: ['read.record', 'version.integer'],
      error: { code: 'doctor.unusable' },
    });
    const people = await doctor('--endpoint', endpoint, '--token', 'k');
    expect(people.stdout).toContain('Not usable: read.record, version.integer.');
    expect(people.code).toBe(3);
  });

  test.each([
    ['refuses the token', 401, 'api.unauthorized', 1],
    ['does not know the org', 404, 'api.not-found', 1],
    ['redirects everything', 301, 'api.redirect', 1],
  ])('that %s ends with that error', async (_, status, error, exit) => {
    const { code, stderr } = await doctor('--endpoint', await other(() => ({ status })), '--token', 'k');
    expect(code).toBe(exit);
    expect(stderr).toContain(error);
  });

  test.each([
    ['refuses the token for queries', 401, /-query$/],
    ['refuses the token for lists', 401, /\/gvc(\?|$)/],
    ['redirects reads of lists', 301, /\/gvc(\?|$)/],
    ['does not know the record of the org', 404, /^\/org\/local$/],
  ])('that only %s is examined further', async (_, status, refused) => {
    const endpoint = await other((path) => ({ status: refused.test(path) ? status : 200, body: { items: [] } }));
    const { stdout } = await doctor('--endpoint', endpoint, '--token', 'k', '-o', 'json');
    expect(JSON.parse(stdout)).toHaveProperty('usable');
  });

  test('that cannot be reached ends with 6', async () => {
    const { code, stderr } = await doctor('--endpoint', 'http://127.0.0.1:1', '--token', 'k');
    expect(code).toBe(6);
    expect(stderr).toContain('api.unavailable');
  });
});

describe('gantry.platform.json', () => {
  const file = 'gantry.platform.json';
  const gvc = 'kind: gvc\nname: canary-gvc\ntags: {team: canary-tag}\n';
  const edit = (change: (entry: JsonObject) => JsonObject): void => {
    const { platforms } = JSON.parse(project.read(file));
    project.write(file, JSON.stringify({ formatVersion: 1, platforms: platforms.map(change) }));
  };
  test('is found automatically, follows its schema, and is used by a plan', async () => {
    project.write('gvc.yaml', gvc);
    expect((await doctor('--out', file)).code).toBe(0);
    obeys(platformFileSchema, project.read(file));
    const outcome = await run('plan', '.', '-o', 'json');
    expect(outcome.stderr).not.toContain(file);
    expect(outcome.code).toBe(3); // the plan reports a GVC without an owner
  });

  test('of another endpoint or another org is not used', async () => {
    await doctor('--out', file);
    const replaced = project.read(file);
    await inProcess(platform, ['doctor', '--out', file, '--endpoint', await other(() => ({ status: 405 }))], {
      cwd: project.path,
    });
    const { platforms } = JSON.parse(project.read(file));
    expect(platforms).toHaveLength(2);
    expect(platforms[0]).toEqual(JSON.parse(replaced).platforms[0]);
  });

  test('that has expired is not used, and a note says how to renew it', async () => {
    project.write('gvc.yaml', gvc);
    await doctor('--out', file);
    edit((entry) => ({ ...entry, until: '2020-01-01T00:00:00.000Z' }));
    const outcome = await run('plan', '.');
    expect(outcome.stderr).toMatch(/valid until 2020-01-01T00:00:00\.000Z, so it is not\s+used; gantry doctor --out/);
  });

  test.each([
    ['{"formatVersion": 1, "platforms": [{', /line \d+|gantry\.platform\.json:\d+:\d+/],
    [
      '{"formatVersion": 1, "platforms": [{"endpoint": "http://h", "org": "o", "learnt": "2026-01-01", "until": "2026-01-02", "findings": {"read.query": "maybe"}}]}',
      /:1:\d+: platforms\[0\]\.findings\.read\.query must be holds or otherwise/,
    ],
    ['{"formatVersion": 2, "platforms": []}', /:1:\d+: formatVersion must be 1/],
    ['{"formatVersion": 1, "platforms": [{"endpoint": "http://h"}]}', /:1:\d+: platforms\[0\]\.org is missing/],
  ])('that is damaged is an error with its place: %s', async (text, said) => {
    project.write(file, text);
    project.write('gvc.yaml', gvc);
    const { code, stderr } = await run('plan', '.');
    expect(code).toBe(1);
    expect(stderr).toContain('error platform.file');
    expect(stderr).toMatch(said);
    expect((await doctor('--out', file)).code).toBe(0); // replaces the file
    expect((await run('plan', '.')).stderr).not.toContain('platform.file');
  });

  test('that gantry.yaml names must exist', async () => {
    project.write('gantry.yaml', 'stack: shop\nplatform: elsewhere.json\n');
    project.write('gvc.yaml', gvc);
    const { code, stderr } = await run('plan', '.');
    expect(code).toBe(1);
    expect(stderr).toMatch(/error platform\.file: .*elsewhere\.json: there is no such file/);
  });
});

describe('knowledge from runs', () => {
  test('includes defaults of the platform, which a later run reads back', async () => {
    project.write('.gantry/.gitignore', '*\n');
    await doctor();
    const kept = JSON.parse(project.read('.gantry/platform.json'));
    kept.platforms[0].defaults = { 'workload spec.containers.*.cpu': '100m' };
    project.write('gantry.platform.json', JSON.stringify(kept));
    project.write('gvc.yaml', 'kind: gvc\nname: other\n');
    expect((await run('plan', '.')).code).toBe(0);
  });

  test('is stored in an existing data folder, for 24 hours, and nowhere else', async () => {
    await doctor();
    expect(Object.keys(project.files())).toEqual(['gantry.yaml']);
    project.write('.gantry/.gitignore', '*\n');
    await doctor();
    const { platforms } = JSON.parse(project.read('.gantry/platform.json'));
    const [{ learnt, until, findings }] = platforms;
    expect(Date.parse(until) - Date.parse(learnt)).toBe(24 * 60 * 60 * 1000);
    expect(findings['read.query']).toBe('holds');
  });

  test('in a damaged file is learned again, and the file is replaced', async () => {
    project.write('.gantry/.gitignore', '*\n');
    project.write('.gantry/platform.json', '{"formatVersion": 1, "platf');
    expect((await doctor()).code).toBe(0);
    expect(JSON.parse(project.read('.gantry/platform.json')).platforms).toHaveLength(1);
  });
});
