import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseHook } from '../../../src/integrations/hook.ts';
import { type Notification, notificationSchema } from '../../../src/integrations/notification.ts';
import {
  type NotifyTarget,
  type ReconcileConfig,
  type StackEntry,
  type StackEvent,
  stackEvents,
} from '../../../src/reconcile/model.ts';
import type { Messenger } from '../../../src/reconcile/work/notifier.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { startHookServer } from '../../integrations/notifying/hookServer.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { writeNewStore } from '../newStore.ts';
import { ownTown } from '../ownTown.ts';
import { Repository } from '../sources/repository.ts';
import { entryOf, writeStack } from '../town.ts';

const { folder, platform, town } = await ownTown('reconcile-telling');

const hooks = await startHookServer();
const isNotification = new Ajv2020().compile(notificationSchema);
const page = 'https://fleet.example.com';
const canary = 'c4n4ry-S3cret';
afterEach(() => hooks.forget());

function target(name: string, more: Partial<NotifyTarget> & { readonly path?: string } = {}): NotifyTarget {
  const { path = `/${name}`, ...rest } = more;
  return { name, to: { url: `${hooks.url}${path}` }, events: Object.keys(stackEvents) as StackEvent[], ...rest };
}

const messenger: Messenger = {
  version: '1',
  targets: [],
  open: async ({ to }) => ({ hook: parseHook('url' in to ? to.url : '') }),
  openForge: async ({ repository, statuses: { forge, api } }) => ({
    ...{ forge, api, token: canary, repository: repository.split('/').at(-1) ?? '' },
  }),
};

/** One pass over these stacks, with these notification targets. */
async function once(entries: readonly StackEntry[], notify: readonly NotifyTarget[] = [target('all')]): Promise<void> {
  const config: ReconcileConfig = {
    origin: '/town/reconcile.yaml',
    stacks: entries,
    notify,
    webhooks: { github: [], gitlab: [], standard: [] },
  };
  town.pass(1);
  await town.once({ messenger, readConfig: async () => config });
}

/** The notifications posted since the last call, each with its path. */
function told(): readonly (readonly [string, Notification])[] {
  const posted = hooks.posted.map(({ path, body }) => [path, JSON.parse(body) as Notification] as const);
  for (const [, each] of posted) expect(isNotification(each), JSON.stringify(isNotification.errors)).toBe(true);
  hooks.forget();
  return posted;
}

const outcomes = () => told().map(([, { outcome }]) => outcome);

test('notifications report a plan that waits, is superseded and is applied, each once', async () => {
  const entry = entryOf(writeStack(folder, 'told', { 'told-1': 'one' }), {
    name: 'told',
    mode: 'propose',
    env: 'prod',
  });
  writeStack(folder, 'told', { 'told-1': 'one' }, 'environments: { prod: {} }\n');
  await once([entry]);
  const plan = (await town.board.waiting('told'))?.name;
  const [run] = await town.board.runs('told');
  expect(told()).toMatchObject([
    [
      '/all',
      {
        command: 'reconcile',
        outcome: 'waiting',
        environment: 'prod',
        stacks: [{ org: 'local', stack: 'told', summary: { create: 1 }, risk: 'none' }],
        reconciled: { stack: 'told', because: 'it needs an approval', plan, runId: run?.id },
      },
    ],
  ]);
  await once([entry]);
  expect(outcomes()).toEqual([]);

  writeStack(folder, 'told', { 'told-1': 'two' }, 'environments: { prod: {} }\n');
  await once([entry]);
  const next = (await town.board.waiting('told'))?.name ?? '';
  expect(told()).toMatchObject([
    ['/all', { outcome: 'superseded', reconciled: { plan, because: expect.stringContaining('what is declared') } }],
    ['/all', { outcome: 'waiting', reconciled: { plan: next } }],
  ]);

  await town.board.approve('told', next, { by: 'ana' });
  await once([entry]);
  expect(told()).toMatchObject([['/all', { outcome: 'applied', reconciled: { plan: next } }]]);
  await once([entry]);
  expect(outcomes()).toEqual([]);
});

test('notifications report the first failure, and the recovery', async () => {
  const entry = entryOf(writeStack(folder, 'fails', { 'fails-1': 'one' }), { name: 'fails' });
  writeFileSync(join(folder, 'fails/groups.yaml'), 'kind: group\nname: 7\n');
  await once([entry]);
  expect(told()).toMatchObject([
    ['/all', { outcome: 'failed', stacks: [], error: { code: expect.any(String) }, reconciled: { stack: 'fails' } }],
  ]);
  await once([entry]);
  await once([entry]);
  expect((await town.board.read('fails'))?.state.failures).toBe(3);
  expect(outcomes()).toEqual([]);
  writeStack(folder, 'fails', { 'fails-1': 'one' });
  await once([entry]);
  expect(outcomes()).toEqual(['recovered', 'applied']);
});

test('notifications report drift once, again if it changes, and after it was reverted', async () => {
  const path = writeStack(folder, 'drifts', { 'drifts-1': 'one', 'drifts-2': 'one' });
  const auto = entryOf(path, { name: 'drifts' });
  const detect = entryOf(path, { name: 'drifts', mode: 'detect' });
  const byHand = (name: string) => platform.call('PATCH', `/org/local/group/${name}`, { description: 'by hand' });
  await once([auto]);
  hooks.forget();
  await byHand('drifts-1');
  await once([detect]);
  expect(told()).toMatchObject([['/all', { outcome: 'drift', stacks: [{ drifted: 1 }] }]]);
  await once([detect]);
  // A stack that cannot be read meanwhile does not forget its notifications.
  writeFileSync(join(path, 'more.yaml'), 'kind: group\nname: 7\n');
  await once([detect]);
  rmSync(join(path, 'more.yaml'));
  await once([detect]);
  expect(outcomes()).toEqual(['failed', 'recovered']);
  await byHand('drifts-2');
  await once([detect]);
  expect(told()).toMatchObject([['/all', { outcome: 'drift', stacks: [{ drifted: 2 }] }]]);
  await once([auto]);
  expect(outcomes()).toEqual(['applied']);
  await byHand('drifts-1');
  await once([auto]);
  expect(outcomes()).toEqual(['drift', 'applied']);
});

test('notifications report the end of a pause, by a user and in the file', async () => {
  const path = writeStack(folder, 'rests', { 'rests-1': 'one' });
  const entry = entryOf(path, { name: 'rests' });
  await once([entry]);
  hooks.forget();
  await town.board.pause('rests', { reason: 'a migration', forMs: 60_000 });
  await once([entry]);
  expect(outcomes()).toEqual([]);
  town.pass(60_000);
  await once([entry]);
  await once([entry]);
  expect(told()).toMatchObject([
    ['/all', { outcome: 'resumed', reconciled: { stack: 'rests', because: 'it was paused: a migration' } }],
  ]);
  await once([entryOf(path, { name: 'rests', paused: { reason: 'a holiday' } })]);
  await once([entry]);
  expect(told()).toMatchObject([['/all', { outcome: 'resumed', reconciled: { because: 'it was paused: a holiday' } }]]);
});

test('each target gets its events, of stacks that name it, with a link to the page, and Slack in its own format', async () => {
  const entries = [
    entryOf(writeStack(folder, 'loud', { 'loud-1': 'one' }), { name: 'loud' }),
    entryOf(writeStack(folder, 'quiet', { 'quiet-1': 'one' }), { name: 'quiet', notify: [] }),
    entryOf(writeStack(folder, 'chosen', { 'chosen-1': 'one' }), { name: 'chosen', notify: ['second'] }),
  ];
  const given = { ...messenger, targets: [target('everything')] };
  const notify = [
    target('first', { events: ['failed', 'applied'] }),
    target('second'),
    target('third', { events: ['failed'] }),
    target('chat', { to: { url: `slack:${hooks.url}/chat` } }),
  ];
  const webhooks = { github: [], gitlab: [], standard: [] };
  await town.once({
    messenger: given,
    readConfig: async () => ({ ...{ origin: '/town/reconcile.yaml', stacks: entries, notify, webhooks }, url: page }),
  });
  const posted = hooks.posted.map(({ path, body }) => {
    const { reconciled, text, run } = JSON.parse(body);
    if (text === undefined) expect(run).toBe(`${page}/#/stack/${reconciled.stack}`);
    return `${path} ${reconciled?.stack ?? text}`;
  });
  expect(posted.toSorted()).toEqual([
    `/chat gantry reconcile: *applied*\n\`loud\`\n\`local/loud\`: 1 to create\n<${page}/#/stack/loud|The stack>`,
    '/everything chosen',
    '/everything loud',
    '/everything quiet',
    '/first loud',
    '/second chosen',
    '/second loud',
  ]);
});

test('a refused notification waits, blocks nothing, is shown, and is delivered later', async () => {
  const entry = entryOf(writeStack(folder, 'down', { 'down-1': 'one' }), { name: 'down' });
  hooks.answerWith({ status: 404 });
  const dead = target('dead');
  await once([entry], [dead]);
  expect(await platform.call('GET', '/org/local/group/down-1')).toMatchObject({ status: 200 });
  const [first] = hooks.posted;
  expect(await town.board.targets()).toEqual([
    {
      ...{ name: 'dead', delivered: 0, lost: 0, waiting: 1 },
      failing: { sinceMs: expect.any(Number), because: 'it answered 404' },
    },
  ]);
  await once([entry], [dead]);
  expect(hooks.posted).toHaveLength(1);
  town.pass(15_000);
  await once([entry], [dead]);
  expect(hooks.posted).toHaveLength(2);
  expect(hooks.posted[1]?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(await town.board.targets()).toEqual([{ name: 'dead', delivered: 1, lost: 0, waiting: 0 }]);
});

test('later notifications wait behind one that a target did not accept', async () => {
  const entry = entryOf(writeStack(folder, 'late', { 'late-1': 'one' }), { name: 'late' });
  const notify = [target('late')];
  writeFileSync(join(folder, 'late/groups.yaml'), 'kind: group\nname: 7\n');
  hooks.answerWith({ status: 404 });
  await once([entry], notify);
  writeStack(folder, 'late', { 'late-1': 'one' });
  await once([entry], notify);
  expect(outcomes()).toEqual(['failed']);
  town.pass(15_000);
  await once([entry], notify);
  expect(outcomes()).toEqual(['failed', 'recovered', 'applied']);
});

test('a notification refused for its content is dropped, and blocks no other', async () => {
  const entry = entryOf(writeStack(folder, 'odd', { 'odd-1': 'one' }), { name: 'odd' });
  const notify = [target('odd')];
  writeFileSync(join(folder, 'odd/groups.yaml'), 'kind: group\nname: 7\n');
  hooks.answerWith({ status: 413 });
  await once([entry], notify);
  expect(await town.board.targets()).toEqual([{ name: 'odd', delivered: 0, lost: 1, waiting: 0 }]);
  expect(town.log).toContainEqual({ level: 'warn', message: 'a notification to odd is lost: it answered 413' });
  hooks.forget();
  writeStack(folder, 'odd', { 'odd-1': 'one' });
  await once([entry], notify);
  expect(outcomes()).toEqual(['recovered', 'applied']);
});

test('two workers never send to a target at the same time', async () => {
  const { notices, sql } = town.store;
  await notices.follow(['pair']);
  const put = (id: string) => sql.transaction((query) => notices.put(query, [{ target: 'pair', body: { id } }]));
  await put('1');
  const [first] = await notices.claim(['pair']);
  await put('2');
  expect(await notices.claim(['pair'])).toEqual([]);
  if (first !== undefined) await notices.delivered(first);
  expect(await notices.claim(['pair'])).toMatchObject([{ body: { id: '2' } }]);
});

test('a stack that fails and then waits for its window has not recovered', async () => {
  const path = writeStack(folder, 'closed', { 'closed-1': 'one' });
  const entry = entryOf(path, { name: 'closed' });
  const never = [{ days: [], from: '00:00', to: '00:01', timezone: 'UTC' }];
  writeFileSync(join(path, 'groups.yaml'), 'kind: group\nname: 7\n');
  await once([entry]);
  writeStack(folder, 'closed', { 'closed-1': 'one' });
  await once([{ ...entry, windows: never }]);
  expect((await town.board.read('closed'))?.state).toMatchObject({ state: 'waiting', failures: 1 });
  expect((await town.board.read('closed'))?.state.lastSuccessMs).toBeUndefined();
  expect(outcomes()).toEqual(['failed']);
  await once([entry]);
  expect(outcomes()).toEqual(['recovered', 'applied']);
  expect((await town.board.read('closed'))?.state.lastSuccessMs).toBeDefined();
});

test('a delivery that a killed worker began is made by the next worker', async () => {
  const entry = entryOf(writeStack(folder, 'taken', { 'taken-1': 'one' }), { name: 'taken' });
  const notify = [target('heir')];
  hooks.answerWith({ status: 404 });
  await once([entry], notify);
  town.pass(15_000);
  expect(await town.store.notices.claim(['heir'])).toHaveLength(1); // The worker is killed.
  hooks.forget();
  await once([entry], notify);
  expect(outcomes()).toEqual([]);
  town.pass(120_000);
  await once([entry], notify);
  expect(outcomes()).toEqual(['applied']);
});

test('a notification refused for a day is dropped, and counted', async () => {
  const entry = entryOf(writeStack(folder, 'lost', { 'lost-1': 'one' }), { name: 'lost' });
  const notify = [target('gone')];
  hooks.answerWith({ status: 404 }, { status: 404 });
  await once([entry], notify);
  town.pass(24 * 3_600_000);
  const worker = town.store.notices;
  const [claimed] = await worker.claim(['gone']);
  expect(claimed).toMatchObject({ target: 'gone' });
  await worker.failed('gone', 'it answered 404');
  expect(await town.board.targets()).toMatchObject([{ name: 'gone', lost: 1, waiting: 0 }]);
});

test('a failing target is shown in the status, addresses come from the environment, and no secret is shown', async () => {
  const home = temporaryFolder('reconcile-telling-cli');
  await writeNewStore(join(home, '.gantry/reconcile'));
  onTestFinished(() => hooks.answerWith());
  writeStack(home, 'shop', {});
  writeFileSync(
    join(home, 'shop/secret.yaml'),
    `kind: secret\nname: told-secret\ntype: opaque\ndata: { payload: ${canary}, encoding: wrong }\n`,
  );
  writeFileSync(
    join(home, 'reconcile.yaml'),
    'notify: { chat: { to: { env: CHAT }, events: [failed] } }\nstacks: { shop: { folder: shop, mode: auto } }\n',
  );
  const env = {
    CHAT: `slack:${hooks.url}/${canary}`,
    GANTRY_NOTIFY: `${hooks.url}/more`,
    GANTRY_NOTIFY_SECRET: canary,
  };
  hooks.answerWith({ status: 404 }, { status: 404 });
  const ended = await inProcess(platform, ['reconcile', 'once', '-o', 'json'], { cwd: home, env });
  expect(ended.code).toBe(1);
  expect(hooks.posted.map(({ path }) => path).toSorted()).toEqual([`/${canary}`, '/more']);
  const bodies = JSON.stringify(hooks.posted.map(({ headers, body }) => [headers['webhook-signature'], body]));
  expect(bodies).not.toContain(canary);
  expect(bodies).toContain('"v1,');
  const { notifications } = JSON.parse(ended.stdout);
  expect(notifications).toMatchObject([
    { name: 'chat', waiting: 1, because: 'it answered 404', failingSince: expect.any(String) },
    { name: `${hooks.url}/…`, waiting: 1, because: 'it answered 404' },
  ]);
  const status = await inProcess(platform, ['reconcile', 'status'], { cwd: home });
  expect(status.stdout).toMatch(/^chat: 1 notification not delivered since \S+Z: it answered 404$/m);
  expect(ended.stdout + ended.stderr + status.stdout).not.toContain(canary);

  const wrong = await inProcess(platform, ['reconcile', 'once'], { cwd: home, env: { CHAT: canary } });
  expect(wrong.stderr).toContain('error notify.address');
  const unset = await inProcess(platform, ['reconcile', 'once'], { cwd: home });
  expect(unset.stderr).toContain('notify.chat.to: the variable CHAT is not set');
  expect(wrong.stderr + unset.stderr).not.toContain(canary);
});

describe('the commit status of a stack', () => {
  const repository = new Repository(folder);
  const name = repository.folder.split('/').at(-1) ?? '';
  const files = (more: string) => ({
    'gantry.yaml': 'stack: committed\norg: local\n',
    'group.yaml': `kind: group\nname: committed\n${more}`,
  });

  function stack(forge: 'github' | 'gitlab', more: Partial<StackEntry> = {}): StackEntry {
    const statuses = { forge, api: hooks.url, token: { env: 'TOKEN' } };
    const source = {
      kind: 'git',
      url: repository.folder,
      repository: repository.folder,
      ref: 'HEAD',
      statuses,
    } as const;
    return { ...entryOf('', { name: 'committed', mode: 'propose' }), source, ...more };
  }

  async function run(entry: StackEntry, ms = 60_000): Promise<readonly unknown[]> {
    town.pass(ms);
    await town.once({
      messenger,
      readConfig: async () => ({
        ...{ origin: '/town/reconcile.yaml', stacks: [entry], url: page },
        webhooks: { github: [], gitlab: [], standard: [] },
      }),
    });
    const posted = hooks.posted.map(({ path, body }) => [path, JSON.parse(body)]);
    hooks.forget();
    return posted;
  }

  test("follows each change of the stack's state, with a link to the page", async () => {
    const commit = repository.commit(files('description: one\n'));
    const path = `/repos/${name}/statuses/${commit}`;
    const common = { context: 'gantry/committed', target_url: 'https://fleet.example.com/#/stack/committed' };
    const waits = { ...common, state: 'pending', description: '0 of 1 approvals' };
    expect(await run(stack('github'))).toEqual([[path, waits]]);
    expect(await run(stack('github'))).toEqual([]);
    const plan = await town.board.waiting('committed');
    await town.board.approve('committed', plan?.name ?? '', { by: 'ann' });
    const done = { ...common, state: 'success', description: 'the platform is as the code says' };
    expect(await run(stack('github'))).toEqual([[path, done]]);
    expect(await run(stack('github'))).toEqual([]);

    // A stack without changes has a status too; one that cannot be loaded has the reason, in 140 characters.
    const next = repository.commit({ 'README.md': 'text' });
    expect(await run(stack('github'))).toEqual([[`/repos/${name}/statuses/${next}`, done]]);
    const broken = repository.commit(files(`nonsense: ${'x'.repeat(200)}\n`));
    const [[at, status] = []] = (await run(stack('github'))) as [string, { state: string; description: string }][];
    expect([at, status]).toEqual([
      `/repos/${name}/statuses/${broken}`,
      { ...common, state: 'failure', description: expect.stringContaining('nonsense') },
    ]);
    expect(status?.description.length).toBeLessThanOrEqual(140);
  });

  test('has the format of GitLab; one refused for its content is dropped, and one refused for its token is retried', async () => {
    const commit = repository.commit(files('description: two\n'));
    hooks.answerWith({ status: 404 });
    const posted = await run(stack('gitlab', { mode: 'detect' }));
    expect(posted).toEqual([
      [
        `/projects/${name}/statuses/${commit}`,
        {
          ...{ name: 'gantry/committed', target_url: 'https://fleet.example.com/#/stack/committed' },
          ...{ state: 'pending', description: 'it is only looked at (mode: detect)' },
        },
      ],
    ]);
    const [failing] = await town.board.targets();
    expect(failing).toMatchObject({
      name: repository.folder,
      waiting: 1,
      failing: { because: expect.stringContaining('404') },
    });
    expect(JSON.stringify(failing)).not.toContain(canary);
    // The commit was removed by a force push: later statuses are not delayed.
    hooks.answerWith({ status: 404, body: '{"message":"404 References for commit Not Found"}' });
    expect(await run(stack('gitlab', { mode: 'detect' }))).toHaveLength(1);
    expect((await town.board.targets())[0]).toMatchObject({ waiting: 0, lost: 1 });
    const next = repository.commit(files('description: three\n'));
    expect(await run(stack('gitlab', { mode: 'detect' }))).toMatchObject([[`/projects/${name}/statuses/${next}`, {}]]);
  });

  test('is retried until the forge accepts it, however long that takes, and only the newest state is sent', async () => {
    const at = (commit: string) => `/projects/${name}/statuses/${commit}`;
    const away = { status: 404 };
    const first = repository.commit(files('description: four\n'));
    hooks.answerWith(away);
    expect(await run(stack('gitlab'))).toMatchObject([[at(first), { state: 'pending' }]]);
    // The state stays, the forge is unavailable for days, and a worker is killed after it began to send.
    town.pass(24 * 3_600_000);
    hooks.answerWith(away);
    expect(await run(stack('gitlab'))).toMatchObject([[at(first), { state: 'pending' }]]);
    town.pass(48 * 3_600_000);
    expect(await town.store.notices.claim([repository.folder])).toHaveLength(1);
    town.pass(120_000);
    expect(await run(stack('gitlab'))).toMatchObject([[at(first), { state: 'pending' }]]);
    expect(await town.board.targets()).toMatchObject([{ waiting: 0, lost: 1 }]);
    expect(await run(stack('gitlab'))).toEqual([]);

    // A newer state replaces the waiting one.
    const second = repository.commit(files('description: five\n'));
    hooks.answerWith(away);
    expect(await run(stack('gitlab'))).toMatchObject([[at(second), { state: 'pending' }]]);
    const waiting = await town.board.waiting('committed');
    await town.board.approve('committed', waiting?.name ?? '', { by: 'ann' });
    expect(await run(stack('gitlab'), 1_000)).toEqual([]);
    expect(await run(stack('gitlab'))).toMatchObject([[at(second), { state: 'success' }]]);
    expect(await run(stack('gitlab'))).toEqual([]);
  });

  test('a status that a delayed worker sent late is corrected at the next run', async () => {
    const at = `/projects/${name}/statuses/${repository.commit(files('description: six\n'))}`;
    hooks.answerWith({ status: 404 });
    await run(stack('gitlab'));
    town.pass(15_000);
    const [late] = await town.store.notices.claim([repository.folder]);
    if (late === undefined) throw new Error('it waits');
    town.pass(120_000);
    const waiting = await town.board.waiting('committed');
    await town.board.approve('committed', waiting?.name ?? '', { by: 'ann' });
    expect((await run(stack('gitlab'))).at(-1)).toMatchObject([at, { state: 'success' }]);
    await town.store.notices.delivered(late);
    expect(await run(stack('gitlab'))).toMatchObject([[at, { state: 'success' }]]);
    expect(await run(stack('gitlab'))).toEqual([]);
  });

  test('is sent by the command line, with the token of a variable that no other code sees', async () => {
    const home = temporaryFolder('reconcile-statuses-cli');
    await writeNewStore(join(home, '.gantry/reconcile'));
    const head = repository.commit({
      'gantry.yaml': 'stack: by-cli\norg: local\n',
      'group.yaml': 'kind: group\nname: by-cli\n',
    });
    const statuses = `{forge: gitlab, api: "${hooks.url}", token: {env: STATUS_TOKEN}}`;
    writeFileSync(
      join(home, 'reconcile.yaml'),
      `repositories: [{for: ${repository.folder}, statuses: ${statuses}}]
stacks: {cli: {git: {url: ${repository.folder}}, mode: auto}}`,
    );
    const once = (env: Readonly<Record<string, string>>) =>
      inProcess(platform, ['reconcile', 'once'], { cwd: home, env });
    const { code, stdout, stderr } = await once({ STATUS_TOKEN: canary });
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining(canary)]);
    const [posted, ...others] = hooks.posted;
    const path = `/projects/${encodeURIComponent(repository.folder.slice(1))}/statuses/${head}`;
    expect([posted?.path, posted?.headers['private-token'], others]).toEqual([path, canary, []]);
    expect(JSON.parse(posted?.body ?? '')).toEqual({
      ...{ name: 'gantry/cli', state: 'success', description: 'the platform is as the code says' },
    });
    const unset = await once({});
    expect(unset.stderr).toContain(
      `the token of statuses of ${repository.folder}: the variable STATUS_TOKEN is not set`,
    );
  });
});
