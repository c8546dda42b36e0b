import type { RequestListener } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useServer } from './useServer.ts';

const cwd = temporaryFolder('faults');

describe('on a platform with wrong answers', () => {
  const answers: Readonly<Record<string, RequestListener>> = {
    hollow: (_, response) => response.end('{"kind": "list"}'),
    circle: (request, response) => {
      const links = [{ rel: 'next', href: request.url }];
      response.end(JSON.stringify({ kind: 'list', items: [{ kind: 'gvc', name: 'a', id: 'a' }], links }));
    },
    cut: (_, response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('{"kind":', () => response.destroy());
    },
    busy: (_, response) => response.writeHead(503, { 'retry-after': '60' }).end('{}'),
  };
  let requests = 0;
  const send = useServer(cwd, (request, response) => {
    requests += 1;
    answers[(request.url ?? '').split('/')[2] ?? '']?.(request, response);
  });
  const run = (org: string, line: string) => send(line, { org });

  test.each(['gvc get', 'gvc query', 'gvc get --max 0'])(
    'gantry %s treats a list without items as a wrong answer, not as an empty list',
    async (line) => {
      const { code, stdout, stderr } = await run('hollow', line);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/api\.bad-reply: .*a list without items/)]);
    },
  );

  test('a list whose next page is itself ends with an error, also with --max 0', async () => {
    const { code, stderr } = await run('circle', 'gvc get --max 0');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/api\.endless-list: .*leads to \/org\/circle\/gvc, which was read/),
    ]);
  });

  test('a truncated answer is reported with the bytes that arrived', async () => {
    const { code, stderr } = await run('cut', 'gvc get');
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining('GET /org/cut/gvc: the answer was cut off after 8 of 500 bytes'),
    ]);
  });

  test('an interrupt ends --watch while it waits for a retry', async () => {
    requests = 0;
    const watching = run('busy', 'gvc get --watch');
    await expect.poll(() => requests).toBeGreaterThan(0);
    process.emit('SIGHUP');
    expect(await watching).toMatchObject({ code: 0, stdout: '' });
    expect(requests).toBe(1);
  });
});

describe('on the embedded platform', () => {
  const platform = usePlatform();
  const spec = { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } };
  beforeAll(async () => {
    for (const name of ['shop', 'other']) {
      await platform.call('POST', '/org/local/gvc', { name, spec });
      for (const [each, team] of [
        ['app', 'web'],
        ['job', 'batch'],
      ]) {
        await platform.call('POST', `/org/local/gvc/${name}/identity`, {
          name: `${each}-${name}`,
          tags: { team: team ?? '' },
        });
      }
    }
    await platform.call('POST', '/org/local/serviceaccount', { name: 'bot' });
    await platform.call('POST', '/org/local/policy', {
      name: 'rights',
      targetKind: 'gvc',
      target: 'all',
      bindings: [],
    });
    await platform.call('POST', '/org/local/gvc/shop/workload', {
      name: 'web',
      spec: {
        type: 'standard',
        containers: [{ name: 'main', image: 'web:1', ports: [{ number: 80, protocol: 'http' }] }],
      },
    });
  });

  function run(line: string, more: { readonly input?: string; readonly env?: Record<string, string> } = {}) {
    return inProcess(platform, line.split(' '), { cwd, ...more });
  }

  async function bindings() {
    return (await platform.call('GET', '/org/local/policy/rights')).body['bindings'];
  }

  test('add-binding adds a principal to the binding with the same permissions, in any order', async () => {
    await succeeded(run('policy add-binding rights --permission view --permission edit --principal ann@example.com'));
    await succeeded(
      run('policy add-binding rights --permission edit --permission view --principal serviceaccount/bot'),
    );
    await succeeded(run('policy add-binding rights --permission view --principal ann@example.com'));
    expect(await bindings()).toEqual([
      {
        permissions: ['view', 'edit'],
        principalLinks: ['/org/local/user/ann@example.com', '/org/local/serviceaccount/bot'],
      },
      { permissions: ['view'], principalLinks: ['/org/local/user/ann@example.com'] },
    ]);
  });

  test.each([
    ['any', ['app-shop', 'job-shop']],
    ['none', ['job-shop']],
  ])('query --match %s with a GVC shows its matching records', async (match, names) => {
    const terms = match === 'any' ? '--tag team=web --tag team=batch' : '--tag team=web';
    const { stdout } = await succeeded(run(`identity query --gvc shop --match ${match} ${terms} -o names`));
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual(names);
  });

  test('query --match any with a GVC reads the next page if the first has too few records of the GVC', async () => {
    const line = 'identity query --gvc shop --match any --tag team=web --tag team=batch --max 1 -o names';
    const { stdout, stderr } = await succeeded(run(line));
    expect(stdout).toMatch(/^(?:app|job)-shop\n$/);
    expect(stderr).toContain('There are more than 1');
  });

  test.each(['workload get-deployments web', 'workload replica get web'])(
    'gantry %s refuses a location that has no deployment',
    async (line) => {
      const { code, stderr } = await run(`${line} --gvc shop --location aws-eu-central-1`);
      expect([code, stderr]).toEqual([
        64,
        expect.stringMatching(/no deployment in the location aws-eu-central-1\n.*aws-us-west-2/),
      ]);
    },
  );

  test('cron get of a workload that is not cron is an error', async () => {
    const { code, stderr } = await run('workload cron get web --gvc shop');
    expect([code, stderr]).toEqual([64, expect.stringContaining('web is a standard workload, not a cron workload')]);
  });

  describe('runs of a cron workload', () => {
    const containers = ['main', 'side'].map((name) => ({ name, image: 'job:1' }));
    const job = { schedule: '0 0 1 1 *' };
    beforeAll(async () => {
      await platform.call('POST', '/org/local/gvc/shop/workload', {
        name: 'nightly',
        spec: { type: 'cron', containers, job },
      });
    });

    test.each([
      ['--container main', /--container has no effect where nothing of it is different/],
      ['--container other --image job:2', /there is no container other\n.*main, side/],
      ['--image job:2', /not have exactly one container, and --container is missing\n.*main, side/],
    ])('cron start with %s is refused', async (line, says) => {
      const { code, stderr } = await run(`workload cron start nightly --gvc shop ${line}`);
      expect([code, stderr]).toEqual([64, expect.stringMatching(says)]);
    });

    test('cron start needs no --container for a workload with one container', async () => {
      const spec = { type: 'cron', containers: containers.slice(0, 1), job };
      await platform.call('POST', '/org/local/gvc/other/workload', { name: 'single', spec });
      await succeeded(run('workload cron start single --gvc other --image job:2'));
      const { body } = await platform.call('GET', '/org/local/gvc/other/workload/single/-command');
      expect(body['items']).toMatchObject([{ spec: { containerOverrides: [{ name: 'main', image: 'job:2' }] } }]);
      await platform.call('DELETE', '/org/local/gvc/other/workload/single');
    });

    test('cron start sends the overrides of a run, and cron get lists runs of cron workloads only', async () => {
      const different = '--container side --image job:2 --env A=b --arg x --active-deadline-seconds 60';
      await succeeded(run(`workload cron start nightly --gvc shop --location aws-us-west-2 ${different}`));
      const { body } = await platform.call('GET', '/org/local/gvc/shop/workload/nightly/-command');
      const env = [{ name: 'A', value: 'b' }];
      const containerOverrides = [{ name: 'side', image: 'job:2', args: ['x'], env }];
      const spec = { location: 'aws-us-west-2', containerOverrides, activeDeadlineSeconds: 60 };
      expect(body['items']).toMatchObject([{ type: 'runCronWorkload', spec }]);
      const { stdout } = await succeeded(run('workload cron get --gvc shop -o json'));
      expect(JSON.parse(stdout).items).toMatchObject([{ workload: 'nightly', location: 'aws-us-west-2' }]);
    });
  });

  test('a volume set without volumes has an empty list, and commands on its volumes are errors', async () => {
    await succeeded(run('volumeset create --name bare --gvc other'));
    expect((await succeeded(run('volumeset volume get bare --gvc other'))).stderr).toBe('No volumes found.\n');
    for (const line of [
      'volume get bare --volume-index 0',
      'expand bare --new-size 20',
      'snapshot get bare --location far',
    ]) {
      const { code, stderr } = await run(`volumeset ${line} --gvc other`);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/api\.not-found: there is no volume yet\n.*mounts/)]);
    }
  });

  test('audit of an audit context shows the events in it, not those of its record', async () => {
    await succeeded(run('auditctx create --name books'));
    const { stdout } = await succeeded(run('auditctx audit books -o json'));
    expect(JSON.parse(stdout).items).toEqual([]);
    expect(JSON.parse((await succeeded(run('auditctx audit -o json'))).stdout).items).not.toEqual([]);
  });

  test('audit --subject with an unknown service account is an error with the nearest name', async () => {
    const { code, stderr } = await run('gvc audit --subject bpt');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no serviceaccount "bpt"\n.*bot/)]);
    await succeeded(run('gvc audit --subject bot'));
    await succeeded(run('gvc audit --subject //serviceaccount/gone'));
  });

  /** platform/clients.kinds: an unknown address is left out. */
  test('add-member skips unknown users; remove-member refuses non-members', async () => {
    await succeeded(run('group create --name team'));
    const { stderr } = await succeeded(run('group add-member team --email nobody@example.com --serviceaccount bot'));
    expect(stderr).toBe('There is no user nobody@example.com: left out.\n');
    const { body } = await platform.call('GET', '/org/local/group/team');
    expect(body['memberLinks']).toEqual(['/org/local/serviceaccount/bot']);
    const none = await run('group add-member team --email nobody@example.com');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('api.not-found: none of the members exists')]);
    const other = await run('group remove-member team --email ann@example.com');
    expect([other.code, other.stderr]).toEqual([
      64,
      expect.stringMatching(/ann@example\.com is not a member\n.*: bot/),
    ]);
  });

  test('delete lists the keys of a service account', async () => {
    const { body } = await platform.call('POST', '/org/local/serviceaccount/bot/-addKey', { description: 'for CI' });
    const { code, stderr } = await run('serviceaccount delete bot');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`delete serviceaccount bot\n  with the key ${body['name']}\n`),
    ]);
  });

  test('delete-all-workloads of a GVC without workloads says so', async () => {
    expect((await succeeded(run('gvc delete-all-workloads other --yes'))).stdout).toBe(
      'No workloads in the GVC other.\n',
    );
  });

  test('volumeset create --no-final-snapshot turns final snapshots off', async () => {
    await succeeded(run('volumeset create --name data --gvc shop --no-final-snapshot'));
    const { body } = await platform.call('GET', '/org/local/gvc/shop/volumeset/data');
    expect(body).toHaveProperty('spec.snapshots.createFinalSnapshot', false);
  });

  test('the output of get -o yaml-slim for a built-in location can be applied', async () => {
    const { stdout } = await succeeded(run('location get aws-us-west-2 -o yaml-slim'));
    expect(stdout).not.toMatch(/provider|region/);
    await succeeded(run('apply - --stack places --adopt --yes', { input: stdout }));
  });
});
