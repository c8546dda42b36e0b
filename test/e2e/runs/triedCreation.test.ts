import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { sampled } from '../../harness/sampled.ts';
import { succeeded } from '../../outcome.ts';
import { startProxy } from '../harness/proxy.ts';
import { useTown } from '../harness/useTown.ts';

/** A replacement whose new body the platform refuses, as the command line shows it. */
const town = useTown();
const { write, run, call, faults } = town;
const hall = '/gvc/town/workload/hall';

interface Declared {
  readonly name?: string;
  readonly lifecycle?: string;
  readonly mount?: string;
  readonly more?: string;
}

function declare(type: string, { name = 'hall', lifecycle = '{}', mount, more = '' }: Declared = {}): void {
  const volumes = mount === undefined ? '' : `, volumes: [{uri: "scheme://volumeset/${mount}", path: /rows}]`;
  write(`kind: gvc
name: town
---
kind: workload
gvc: town
name: ${name}
lifecycle: ${lifecycle}
spec:
  type: ${type}
  containers: [{name: main, image: "registry.example.com/hall:1"${volumes}}]
${more}`);
}

/** Makes a volume set of another owner that only a stateful workload can mount, which the code alone does not show. */
async function withRowsOfOthers(declared: Declared = {}): Promise<JsonObject> {
  await call('POST', '/gvc', { name: 'town' });
  await call('POST', '/gvc/town/volumeset', {
    name: 'rows',
    spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 },
  });
  declare('stateful', { mount: 'rows', ...declared });
  await succeeded(run('apply', '.', '--yes', '--adopt'));
  return (await call('GET', hall)).body;
}

function dryRuns(): readonly string[] {
  return town.platform.requests.filter(({ method }) => method === 'PUT').map(({ path, status }) => `${path} ${status}`);
}

const tried = '/org/local/gvc/town/workload/hall-dry-run';

describe('a replacement whose new body is refused only by the platform', () => {
  test('leaves the record unchanged, without deletion or mark', async () => {
    const before = await withRowsOfOthers();
    declare('standard', { mount: 'rows' });
    const refused = await run('apply', '.', '--yes', '-o', 'json');
    expect(refused.code).toBe(1);
    const message =
      'workload/town/hall was not deleted, because the platform would refuse to create it again: ' +
      'spec.containers.main.volumes."/rows".uri: the volume set "rows" is ext4; a standard workload can mount shared ones only';
    expect(JSON.parse(refused.stdout)).toMatchObject({
      result: { outcome: 'failed', failed: [{ id: 'workload/town/hall', code: 'apply.creation-refused', message }] },
    });
    expect((await call('GET', hall)).body).toEqual(before);
    expect(dryRuns()).toEqual([`${tried} 400`, `${tried} 400`]);
  });

  test('is explained in the text output, and the other changes of the plan are made', async () => {
    await withRowsOfOthers();
    declare('standard', { mount: 'rows', more: '---\nkind: group\nname: team\n' });
    const refused = await run('apply', '.', '--yes');
    expect(refused.code).toBe(5);
    expect(refused.stdout).toContain('Not finished: 1 created, 1 failed.');
    expect(refused.stdout).toContain('apply.creation-refused');
    expect(refused.stdout).toContain('Nothing was written to it. Correct these problems, then plan again.');
    expect((await call('GET', '/group/team')).status).toBe(200);
  });

  test('is found by a rehearsal', async () => {
    await withRowsOfOthers();
    declare('standard', { mount: 'rows' });
    const rehearsed = await run('plan', '.', '--rehearse');
    expect(rehearsed.code).toBe(3);
    expect(rehearsed.stdout).toContain('workload/town/hall was not deleted');
  });

  test('is also refused in a saved plan', async () => {
    const before = await withRowsOfOthers();
    declare('standard', { mount: 'rows' });
    expect((await run('plan', '.', '--out', 'it.plan')).code).toBe(0);
    const refused = await run('apply', 'it.plan', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('apply.creation-refused');
    expect((await call('GET', hall)).body).toEqual(before);
  });

  test('is not refused if the dry run only reports a conflict with the old record', async () => {
    await withRowsOfOthers();
    declare('stateful', { mount: 'rows', name: 'court', lifecycle: '{previously: hall, replace: true, wait: false}' });
    await succeeded(run('apply', '.', '--yes', '--allow-data-loss=1', '--verify=full'));
    expect(dryRuns()).toEqual(['/org/local/gvc/town/workload/court-dry-run 400']);
    expect((await call('GET', '/gvc/town/workload/court')).status).toBe(200);
    expect((await call('GET', hall)).status).toBe(404);
  });
});

describe('a possible replacement', () => {
  async function replaced(): Promise<JsonObject> {
    declare('stateful');
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    declare('standard');
    const applied = await succeeded(run('apply', '.', '--yes', '-o', 'json'));
    const names = (await call('GET', '/gvc/town/workload')).body['items'];
    expect(JSON.stringify(names)).not.toContain('dry-run');
    const document: unknown = JSON.parse(applied.stdout);
    return isObject(document) ? document : {};
  }

  test('costs one dry run, which is counted and creates nothing', async () => {
    const document = await replaced();
    expect(dryRuns()).toEqual([`${tried} 200`]);
    expect(objectAt(document, 'result')['requests']).toBe(objectAt(document, 'requests')['apply']); // law 7
  });

  test('sends no dry run to a platform that does not announce that it honours them', async () => {
    await faults({ path: '/discovery', status: 404 });
    await replaced();
    expect(dryRuns()).toEqual([]);
  });

  const answers = [
    { status: 403 },
    { status: 404 },
    { status: 405 },
    { status: 409 },
    { status: 429, message: 'the quota is reached' },
    { status: 400, message: 'there are no dry runs' },
    { status: 500 },
    { status: 501 },
  ];
  test.each(sampled(answers, 0, 3, 4, 5, 6))(
    'is carried out although the dry run gets status $status',
    async (answer) => {
      await faults({ method: 'PUT', path: tried, ...answer });
      await replaced();
      expect(dryRuns()).toEqual([`${tried} ${answer.status}`]);
    },
  );

  test.each(['cut-before', 'cut-after'] as const)(
    'is carried out although the connection breaks (%s)',
    async (lost) => {
      declare('stateful');
      expect((await run('apply', '.', '--yes')).code).toBe(0);
      declare('standard');
      const proxy = await startProxy(town.platform.url, ({ method }) => (method === 'PUT' ? lost : 'pass'));
      const applied = await town.runAt(proxy, 'apply', '.', '--yes');
      await proxy.close();
      expect(applied.code, applied.stdout + applied.stderr).toBe(0);
      expect(proxy.seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
      expect((await call('GET', hall)).body).toMatchObject({ spec: { type: 'standard' } });
    },
  );

  test('is carried out although the quota allows one record only', async () => {
    await call('PATCH', '/quota/workloads', { max: 1 });
    await replaced();
    expect(dryRuns()).toEqual([`${tried} 429`]);
  });

  test('of a saved plan sends a dry run only if the platform still announces it', async () => {
    declare('stateful');
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    declare('standard');
    expect((await run('plan', '.', '--out', 'it.plan')).code).toBe(0);
    await faults({ path: '/discovery', status: 404 });
    expect((await run('apply', 'it.plan', '--yes')).code).toBe(0);
    expect(dryRuns()).toEqual([]);
  });
});

test('secret values that a refusal repeats are masked', async () => {
  const secret = (type: string, data: string) => write(`kind: secret\nname: key\ntype: ${type}\ndata: ${data}\n`);
  secret('opaque', '{payload: c4n4ry-first}');
  expect((await run('apply', '.', '--yes')).code).toBe(0);
  secret('dictionary', '{payload: c4n4ry-second}');
  const details = { problems: [{ path: 'data.c4n4ry-second', message: 'c4n4ry-second is too short' }] };
  const proxy = await startProxy(town.platform.url, ({ method, body }) =>
    method === 'PUT' && body.includes('c4n4ry-second')
      ? { status: 400, body: { status: 400, message: 'no', details } }
      : 'pass',
  );
  const refused = await town.runAt(proxy, 'apply', '.', '--yes');
  await proxy.close();
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('is too short');
  expect(refused.stdout + refused.stderr).not.toContain('c4n4ry');
  expect((await call('GET', '/secret/key')).body).toMatchObject({ type: 'opaque' });
});
