import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, expect, test } from 'vitest';
import { isArray, isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { notificationSchema } from '../../../src/integrations/notification.ts';
import { startHookServer } from '../../integrations/notifying/hookServer.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { useProjects } from '../harness/useProjects.ts';

const platform = usePlatform();
const hooks = await startHookServer();
const project = useProjects(platform, 'notify', { settings: 'env: prod\nenvironments: { prod: {} }\n' });
const isNotification = new Ajv2020().compile(notificationSchema);
const canary = 'c4n4ry-S3cret';

afterEach(() => hooks.forget());

/** The single notification, which must follow its schema. */
function notification(): JsonObject {
  expect(hooks.posted).toHaveLength(1);
  const document: unknown = JSON.parse(hooks.posted[0]?.body ?? '');
  expect(isNotification(document), JSON.stringify(isNotification.errors)).toBe(true);
  hooks.forget();
  return isObject(document) ? document : {};
}

test('each command notifies how it ended', async () => {
  const it = project();
  const notify = ['--notify', `${hooks.url}/hook`];
  const stack = { org: 'local', stack: it.name };

  await it.run('plan', '.', '--out', 'it.plan', ...notify);
  const summary = { create: 1, patch: 0, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 0 };
  expect(notification()).toMatchObject({
    command: 'plan',
    outcome: 'changes',
    exitCode: 0,
    stacks: [{ ...stack, summary, risk: 'none' }],
  });

  await it.run('apply', 'it.plan', '--yes', '--env', 'prod', ...notify);
  expect(notification()).toMatchObject({
    command: 'apply',
    outcome: 'applied',
    exitCode: 0,
    environment: 'prod',
    stacks: [stack],
  });

  await it.run('plan', '.', ...notify);
  expect(notification()).toMatchObject({ command: 'plan', outcome: 'unchanged' });

  const { body } = await platform.call('GET', `/org/local/group/${it.name}`);
  await platform.call('PATCH', `/org/local/group/${it.name}`, { ...body, description: 'by hand' });
  await it.run('drift', '.', ...notify);
  expect(notification()).toMatchObject({ command: 'drift', outcome: 'drift', stacks: [{ ...stack, drifted: 1 }] });

  await it.run('undo', 'it.plan', ...notify);
  expect(notification()).toMatchObject({ command: 'undo' });

  await it.run('apply', '.', ...notify);
  expect(notification()).toMatchObject({ outcome: 'failed', exitCode: 1, error: { code: 'apply.not-confirmed' } });

  await it.run('destroy', '.', '--yes', '--max-deletes', '0', ...notify);
  expect(notification()).toMatchObject({
    command: 'destroy',
    outcome: 'refused',
    exitCode: 3,
    error: { code: 'plan.refused' },
  });

  await it.run('destroy', '.', '--yes', ...notify);
  expect(notification()).toMatchObject({ command: 'destroy', outcome: 'applied' });
});

test('a command that fails before its plan notifies that too', async () => {
  const it = project();
  it.write('kind: group\nname: 7\n');
  await it.run('plan', '.', '--notify', hooks.url);
  expect(notification()).toMatchObject({
    command: 'plan',
    outcome: 'failed',
    exitCode: 1,
    stacks: [],
    error: { code: expect.any(String) },
  });
});

test('addresses and the secret can come from the environment, and the notification names the CI job', async () => {
  const it = project();
  const ended = await it.runWith(
    {
      GANTRY_NOTIFY: `${hooks.url}/one slack:${hooks.url}/two`,
      GANTRY_NOTIFY_SECRET: canary,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_RUN_ID: '7',
    },
    'plan',
    '.',
  );
  expect(ended.code).toBe(0);
  const byPath = new Map(hooks.posted.map(({ path, body }) => [path, JSON.parse(body)]));
  expect(byPath.get('/one')).toMatchObject({ run: 'https://github.com/acme/shop/actions/runs/7' });
  expect(byPath.get('/two')).toEqual({ text: expect.stringContaining('gantry plan: *changes*') });
  for (const { headers, body } of hooks.posted) {
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}=$/);
    expect(JSON.stringify([headers, body])).not.toContain(canary);
  }
});

test('a failing hook only causes a note, which does not contain the full address', async () => {
  const it = project();
  hooks.answerWith({ status: 404 });
  const ended = await it.run('apply', '.', '--yes', '-o', 'json', '--notify', `${hooks.url}/${canary}`);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain(`note: the notification to ${hooks.url}/… was not delivered: it answered 404`);
  expect(ended.stdout + ended.stderr).not.toContain(canary);
  expect((await platform.call('GET', `/org/local/group/${it.name}`)).status).toBe(200);
});

test('a wrong address is an error before anything is done, and is not repeated', async () => {
  const it = project();
  const ended = await it.run('apply', '.', '--yes', '--notify', `${canary}`);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('error notify.address');
  expect(ended.stdout + ended.stderr).not.toContain(canary);
  expect((await platform.call('GET', `/org/local/group/${it.name}`)).status).toBe(404);
});

test('a notification contains no secret value', async () => {
  const it = project();
  it.write(`kind: secret\nname: ${it.name}\ntype: opaque\ndata: { payload: ${canary} }\n`);
  await it.run('apply', '.', '--yes', '--notify', hooks.url, '--notify', `slack:${hooks.url}`);
  it.write(`kind: secret\nname: ${it.name}\ntype: opaque\ndata: { payload: [${canary}] }\n`);
  await it.run('plan', '.', '--notify', hooks.url, '--notify', `slack:${hooks.url}`);
  expect(hooks.posted).toHaveLength(4);
  expect(JSON.stringify(hooks.posted)).not.toContain(canary);
});

test('a notification names the stack by --stack', async () => {
  const it = project();
  const ended = await it.run('plan', '.', '--notify', hooks.url, '--stack', 'other');
  expect(ended.code).toBe(0);
  const { stacks } = notification();
  expect(isArray(stacks) ? stacks : []).toEqual([expect.objectContaining({ stack: 'other' })]);
});
