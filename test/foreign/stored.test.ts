import { expect, it } from 'vitest';
import { applied, folder } from './applied.ts';
import { excerpt } from './commands.ts';
import { project, setting, strangers } from './project.ts';

const team = '/org/local/group/shop-team';
const theirs = { description: 'Of others', memberLinks: [], tags: {} };

it('write.taken: a record that exists before the plan is refused, even if POST would overwrite it', async () => {
  const { served, run } = await folder(['post-upserts']);
  served.platform.plant(team, theirs);
  const ran = await run('apply', '.', '--yes');
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain('adopt.not-asked');
  expect(ran.changes).toEqual([]);
});

it('write.taken: a record that others create during the run becomes as declared if POST overwrites', async () => {
  const { served, run } = await folder(['post-upserts']);
  served.onWrite(1, () =>
    served.platform.plant('/org/local/domain/shop.example.com', { tags: {}, spec: { ports: [] } }),
  );
  const ran = await run('apply', '.', '--yes');
  expect(ran.code, excerpt(ran, 2000)).toBe(0);
  const again = await run('plan', '.', '--detailed-exitcode');
  expect(again.code, excerpt(again, 2000)).toBe(0);
});

it('version.only-writes: a saved plan of a secret continues if only its version rises during the apply', async () => {
  const { served, run, declare } = await applied([]);
  const secret = '/org/local/secret/shop-db';
  declare(setting(project, 'secret/shop-db', ['data', 'password'], 'second-password'));
  expect((await run('plan', '.', '--out', 'saved.plan')).code).toBe(0);
  served.onWrite(1, () => served.platform.plant(secret, served.platform.records().get(secret) ?? {}));
  const ran = await run('apply', 'saved.plan', '--yes');
  expect(ran.code, excerpt(ran, 2000)).toBe(0);
  expect(served.platform.records().get(secret)).toMatchObject({ data: { password: 'second-password' } });
  expect(ran.stdout + ran.stderr).not.toContain('writer');
});

it('a saved plan of a secret whose version rises between its two reads is refused before any write', async () => {
  const { served, run, declare } = await applied([]);
  const secret = '/org/local/secret/shop-db';
  declare(setting(project, 'secret/shop-db', ['data', 'password'], 'second-password'));
  expect((await run('plan', '.', '--out', 'saved.plan')).code).toBe(0);
  const answer = served.platform.answer.bind(served.platform);
  let reveals = 0;
  served.platform.answer = (asked) => {
    if (asked.path === `${secret}/-reveal` && reveals++ === 0)
      served.platform.plant(secret, served.platform.records().get(secret) ?? {});
    return answer(asked);
  };
  const ran = await run('apply', 'saved.plan', '--yes');
  expect([ran.code, reveals, ran.changes], excerpt(ran, 2000)).toEqual([4, 1, []]);
  expect(ran.stderr).toContain('the live state has changed since the plan was made; nothing was written');
  expect(ran.stderr).toContain('nobody is known to have written it');
});

it('a saved plan of a secret is refused if another client writes another value during the apply', async () => {
  const { served, run, declare } = await applied([]);
  const secret = '/org/local/secret/shop-db';
  declare(setting(project, 'secret/shop-db', ['data', 'password'], 'second-password'));
  expect((await run('plan', '.', '--out', 'saved.plan')).code).toBe(0);
  const theirs = { username: 'shop', password: 'their-password' };
  served.onWrite(1, () => served.platform.plant(secret, { ...served.platform.records().get(secret), data: theirs }));
  const ran = await run('apply', 'saved.plan', '--yes');
  expect(ran.code, excerpt(ran, 2000)).toBe(4);
  expect(served.platform.records().get(secret)).toMatchObject({ data: theirs });
});

// biome-ignore format: a row is a case
it.each([
  ['write.list: a list that the platform appended', ['lists-appended'], 'args', ['--other'], 2],
  ['write.directives: a directive that the platform stored beside its own form of a value',
    ['list-directives-stored', 'image-registry', 'versions-jump'], 'inheritEnv', false, 2],
  // At the same version the first request counts as not carried out, and is sent again.
  ['write.directives: a directive that the platform stored at the same version',
    ['list-directives-stored', 'image-digest', 'versions-constant'], 'inheritEnv', false, 3],
] as const)('%s in a write with a lost answer is corrected', async (_, switches, field, value, sent) => {
  const { served, run, declare } = await applied(switches);
  const web = '/org/local/gvc/shop/workload/web';
  const container = ['spec', 'containers', 0];
  const renewed = setting(project, 'workload/web', [...container, 'image'], 'nginx:2');
  declare(renewed);
  expect((await run('apply', '.', '--yes')).code).toBe(0);
  declare(setting(renewed, 'workload/web', [...container, field], value));
  const answer = served.platform.answer.bind(served.platform);
  let patches = 0;
  served.platform.answer = (asked) => {
    const given = answer(asked);
    const isOfList = asked.method === 'PATCH' && JSON.stringify(asked.body).includes('containers');
    return isOfList && patches++ === 0 ? { status: 500, body: { status: 500, message: 'it went wrong' } } : given;
  };
  const ran = await run('apply', '.', '--yes');
  expect([ran.code, patches], excerpt(ran, 2000)).toEqual([0, sent]);
  const spec = Object(served.platform.records().get(web)?.['spec']);
  expect(spec).toMatchObject({ containers: [{ [field]: value }] });
  expect(JSON.stringify(spec)).not.toContain('"$');
});

it('value.tag-keys: a platform that refuses a slash in the key of a tag stores nothing, and the error says why', async () => {
  const { run } = await folder(['tags-refuse-slash']);
  const ran = await run('apply', '.', '--yes');
  expect(ran.code).toBe(1);
  expect(ran.changes).toEqual([]);
  expect(ran.stdout).toContain('api.invalid: POST /org/local/gvc: the key of a tag has a slash');
  expect(ran.stdout).not.toContain('Verified');
});

it('value.tag-keys: if the platform drops tags, the first answers end the run, and the error names the writes', async () => {
  const { served, run } = await folder(['tags-not-kept']);
  const ran = await run('apply', '.', '--yes');
  expect(ran.code).toBe(5);
  const others = strangers.map(([path]) => path);
  const made = [...served.platform.records().keys()].filter((path) => !others.includes(path));
  // The writes that were in flight with the first one.
  expect(made).toEqual(['/org/local/gvc/shop', '/org/local/secret/shop-db', '/org/local/group/shop-team']);
  for (const id of ['gvc/shop', 'secret/shop-db', 'group/shop-team']) {
    const said = 'was written, but the platform did not keep the tags by which Gantry finds what it owns';
    expect(ran.stdout).toContain(`${id} ${said}`);
  }
  expect(ran.stdout).toContain('Gantry cannot be used on this platform');
  // The records have no owner: the next run is refused before any write.
  const again = await run('apply', '.', '--yes');
  expect(again.code).toBe(3);
  expect(again.changes).toEqual([]);
});

it.each([[[]], [['description-empty']], [['default-description']]] as const)(
  'value.description: a default description is no difference, and a declared one can be removed (%j)',
  async (switches) => {
    const { served, run, declare } = await applied(switches);
    expect((await run('apply', '.', '--yes')).writes).toEqual([]);
    declare(setting(project, 'identity/backend', ['description'], undefined));
    const removed = await run('apply', '.', '--yes');
    expect(removed.code, excerpt(removed, 2000)).toBe(0);
    expect(removed.changes.map(({ path }) => path)).toEqual(['/org/local/gvc/shop/identity/backend']);
    expect(served.platform.records().get('/org/local/gvc/shop/identity/backend')?.['description']).not.toBe(
      'Reads the database',
    );
    expect((await run('plan', '.', '--detailed-exitcode')).code).toBe(0);
  },
);
