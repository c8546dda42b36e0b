import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../../src/base/json/json.ts';
import { type Outcome, succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { writesSince } from '../../harness/platform.ts';
import { startProxy } from '../../harness/proxy.ts';
import { startGantry } from '../../harness/running.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const root = temporaryFolder('saved');
const canary = 'c4n4ry-S3cret"/ü';
const platform = usePlatform();
let made = 0;

/** A stack of its own, whose names begin with its own. */
interface Project {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  write(manifests: string): void;
  run(...args: readonly string[]): Promise<Outcome>;
  runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Outcome>;
}

function project(manifests: (name: string) => string): Project {
  made += 1;
  const name = `kept-${made}`;
  const folder = mkdtempSync(join(root, name));
  const write = (text: string) => writeFileSync(join(folder, 'stack.yaml'), text);
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${name}\n`);
  write(manifests(name));
  const runWith = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    inProcess(platform, args, { cwd: folder, env });
  return { name, folder, file: join(folder, 'it.plan'), write, run: (...args) => runWith({}, ...args), runWith };
}

const group = (description: string) => (name: string) => `kind: group\nname: ${name}\ndescription: ${description}\n`;
const secret = (value: string) => (name: string) =>
  `kind: secret\nname: ${name}\ntype: opaque\ndata: {payload: ${JSON.stringify(value)}}\n`;
const gvc = (name: string) => `kind: gvc\nname: ${name}\n`;

async function keep(of: Project, ...flags: readonly string[]): Promise<void> {
  await succeeded(of.run('plan', '.', '--out', 'it.plan', ...flags));
}

const live = async (path: string): Promise<JsonObject> => (await platform.call('GET', `/org/local/${path}`)).body;

/** The exit codes of those that do not end with 1. */
const exitCodes: Readonly<Record<string, number>> = {
  'cli.usage': 64,
  'plan.stale': 4,
  'plan.fact': 4,
  'saved.secret-changed': 4,
  'saved.tampered': 3,
  'saved.unsigned': 3,
  'saved.other-org': 3,
  'saved.other-stack': 3,
};

/** Refused with this code, and nothing was written. */
async function refused(outcome: () => Promise<Outcome>, code: string): Promise<Outcome> {
  const from = await platform.seen();
  const ended = await outcome();
  expect(ended.stderr, ended.stdout).toContain(`error ${code}`);
  expect(ended.code).toBe(exitCodes[code] ?? 1);
  await platform.seen();
  expect(writesSince(platform, from)).toEqual([]);
  return ended;
}

describe('plan --out and apply FILE', () => {
  test('keeps a file that nobody else can read, runs it, and knows when nothing is left; no manifests are needed', async () => {
    const it = project(group('first'));
    const run = (...args: readonly string[]) => inProcess(platform, args, { cwd: it.folder });
    await succeeded(run('plan', '.', '--out', 'it.plan'));
    expect(statSync(it.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(it.folder).sort()).toEqual(['gantry.yaml', 'it.plan', 'stack.yaml']);
    expect(await live(`group/${it.name}`)).toMatchObject({ status: 404 });

    rmSync(join(it.folder, 'stack.yaml'));
    const applied = await succeeded(run('apply', 'it.plan', '--yes'));
    expect(applied.stdout).toContain(`+ group/${it.name}`);
    expect(await live(`group/${it.name}`)).toMatchObject({ description: 'first', version: 1 });

    const from = await platform.seen();
    const again = await succeeded(run('apply', 'it.plan', '--yes'));
    expect(again.stdout).toContain('nothing is left');
    await platform.seen();
    expect(writesSince(platform, from)).toEqual([]);
  });

  test('what runs is what was approved, not what the manifests say by then', async () => {
    const it = project(group('approved'));
    await keep(it);
    it.write(group('later')(it.name));
    await succeeded(it.run('apply', 'it.plan', '--yes'));
    expect(await live(`group/${it.name}`)).toMatchObject({ description: 'approved' });
  });

  test('a refused plan is not kept, and an older file stays', async () => {
    const it = project(group('mine'));
    writeFileSync(it.file, 'older');
    await platform.call('POST', '/org/local/group', { name: it.name, description: 'theirs' });
    const outcome = await it.run('plan', '.', '--out', 'it.plan');
    expect(outcome.stdout).toContain('adopt.not-asked');
    expect(outcome.stderr).toContain('not saved to it.plan');
    expect(outcome.code).toBe(3);
    expect(readFileSync(it.file, 'utf8')).toBe('older');
  });

  test('it is recognised by its content: as .json, beside the folder, from elsewhere; manifests are not mistaken', async () => {
    const it = project(group('named'));
    await succeeded(it.run('plan', '.', '--out', 'kept.json'));
    // It lies among the manifests, and is none of them.
    expect((await it.run('plan', '.', '--detailed-exitcode')).code).toBe(2);
    expect((await it.run('plan', 'kept.json')).stderr).toContain('input.saved-plan');
    await succeeded(inProcess(platform, ['apply', join(it.folder, 'kept.json'), '--yes'], { cwd: root }));
    writeFileSync(
      join(it.folder, 'group.json'),
      JSON.stringify({ kind: 'group', name: it.name, description: 'json', gantry: 'saved-plan' }),
    );
    expect((await it.run('apply', 'group.json', '--yes')).stderr).toContain('shape.unknown-field');
  });

  test('for programs it is one document, with the result', async () => {
    const it = project(group('json'));
    await keep(it);
    const outcome = await succeeded(it.run('apply', 'it.plan', '--yes', '-o', 'json'));
    expect(JSON.parse(outcome.stdout)).toMatchObject({ stack: it.name, result: { done: [`group/${it.name}`] } });
  });

  test('without --yes nothing runs where nobody can be asked', async () => {
    const it = project(group('asked'));
    await keep(it);
    await refused(() => it.run('apply', 'it.plan'), 'apply.not-confirmed');
  });
});

describe('refused before anything is written', () => {
  test('a file that was changed, cut, or is of a newer format', async () => {
    const it = project(group('whole'));
    await keep(it);
    const text = readFileSync(it.file, 'utf8');
    const cases = [
      [text.replace('"whole"', '"forged"'), 'saved.tampered'],
      [text.slice(0, -40), 'saved.damaged'],
      [text.replace('"formatVersion": 1', '"formatVersion": 2'), 'saved.newer-format'],
    ] as const;
    for (const [forged, code] of cases) {
      writeFileSync(it.file, forged);
      await refused(() => it.run('apply', 'it.plan', '--yes'), code);
    }
  });

  test('another org, another stack', async () => {
    const it = project(group('here'));
    await keep(it);
    await refused(() => it.run('apply', 'it.plan', '--yes', '--org', 'elsewhere'), 'saved.other-org');
    await refused(() => it.run('apply', 'it.plan', '--yes', '--stack', 'other'), 'saved.other-stack');
    await succeeded(it.run('apply', 'it.plan', '--yes', '--stack', it.name, '--org', 'local'));
  });

  test('every flag that would change the plan', async () => {
    const it = project(group('flags'));
    await keep(it);
    const flags = [
      '--prune',
      '--adopt',
      '--allow-data-loss=1',
      '--allow-collateral=1',
      '--max-deletes=3',
      '--allow-empty',
    ];
    const more = ['--target=group/x', '--exclude=group/x', '--max-risk=none', '--max-changes=3', '--gvc=x', '--wait'];
    for (const flag of [...flags, ...more, '--revert-operational', '--write-unknown-secrets']) {
      const { stderr } = await refused(() => it.run('apply', 'it.plan', '--yes', flag), 'cli.usage');
      expect(stderr).toContain(flag.split('=')[0]);
    }
  });

  test('a plan beside other inputs', async () => {
    const it = project(group('alone'));
    await keep(it);
    await refused(() => it.run('apply', 'it.plan', '.', '--yes'), 'cli.usage');
  });

  test('a field that somebody wrote since: its path, and who; unknown where the trail cannot be read', async () => {
    const it = project(group('old'));
    await succeeded(it.run('apply', '.', '--yes'));
    it.write(group('new')(it.name));
    await keep(it);
    await platform.call('PATCH', `/org/local/group/${it.name}`, { description: 'theirs' });
    const { stderr } = await refused(() => it.run('apply', 'it.plan', '--yes'), 'plan.stale');
    expect(stderr).toContain(`group/${it.name}: it was at version 1, now it is at 2`);
    expect(stderr).toMatch(/moved: description; written by (?!unknown)\S+/);

    const proxy = await startProxy(platform.url, ({ path }) => (path.startsWith('/audit') ? { status: 403 } : 'pass'));
    const blind = await inProcess(proxy, ['apply', 'it.plan', '--yes'], { cwd: it.folder });
    await proxy.close();
    expect(blind.stderr).toContain('moved: description; written by unknown');
    expect(blind.code).toBe(4);
    expect(await live(`group/${it.name}`)).toMatchObject({ description: 'theirs', version: 2 });
  });

  test('one stale pin holds back every other write too', async () => {
    const two = (text: string) => (name: string) => `${group(text)(name)}---\n${group(text)(`${name}-b`)}`;
    const it = project(two('old'));
    await succeeded(it.run('apply', '.', '--yes'));
    it.write(two('new')(it.name));
    await keep(it);
    await platform.call('PATCH', `/org/local/group/${it.name}-b`, { description: 'theirs' });
    await refused(() => it.run('apply', 'it.plan', '--yes'), 'plan.stale');
  });

  test('a name that somebody took, a record that somebody deleted', async () => {
    const it = project(group('mine'));
    await keep(it);
    await platform.call('POST', '/org/local/group', { name: it.name, description: 'theirs' });
    await refused(() => it.run('apply', 'it.plan', '--yes'), 'plan.stale');

    const gone = project(group('old'));
    await succeeded(gone.run('apply', '.', '--yes'));
    gone.write(group('new')(gone.name));
    await keep(gone);
    await platform.call('DELETE', `/org/local/group/${gone.name}`);
    expect((await refused(() => gone.run('apply', 'it.plan', '--yes'), 'plan.stale')).stderr).toContain(
      'it no longer exists',
    );
  });

  test('a record that it refers to is another one under the same name', async () => {
    const robot = `robot-${made}`;
    await platform.call('POST', '/org/local/serviceaccount', { name: robot });
    const it = project((name) => `kind: group\nname: ${name}\nmemberLinks: [//serviceaccount/${robot}]\n`);
    await keep(it);
    await platform.call('DELETE', `/org/local/serviceaccount/${robot}`);
    expect((await refused(() => it.run('apply', 'it.plan', '--yes'), 'plan.fact')).stderr).toContain('is gone');
    await platform.call('POST', '/org/local/serviceaccount', { name: robot });
    expect((await refused(() => it.run('apply', 'it.plan', '--yes'), 'plan.fact')).stderr).toContain(
      'was deleted and created again',
    );
  });

  test('a GVC that goes holds more than was shown', async () => {
    const it = project((name) => `${gvc(name)}---\n${group('stays')(name)}`);
    await succeeded(it.run('apply', '.', '--yes'));
    it.write(group('instead')(it.name));
    await keep(it);
    await platform.call('POST', `/org/local/gvc/${it.name}/identity`, { name: 'stranger' });
    const { stderr } = await refused(() => it.run('apply', 'it.plan', '--yes'), 'plan.fact');
    expect(stderr).toContain(`contains identity/${it.name}/stranger`);
  });

  test('an update hits a workload of others that came since', async () => {
    const placed = (links: string) => (name: string) =>
      `${gvc(name)}spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2${links}]}}\n`;
    const it = project(placed(', //location/aws-eu-central-1'));
    await succeeded(it.run('apply', '.', '--yes'));
    it.write(placed('')(it.name));
    await keep(it);
    const spec = { type: 'standard', containers: [{ name: 'main', image: 'registry.example.com/a:1' }] };
    await platform.call('POST', `/org/local/gvc/${it.name}/workload`, { name: 'late', spec });
    const { stderr } = await refused(() => it.run('apply', 'it.plan', '--yes'), 'plan.fact');
    expect(stderr).toContain(`the change of gvc/${it.name} affects workload/${it.name}/late, which was not shown`);
  });
});

describe('what others write elsewhere does not matter', () => {
  test('another field of the same record: it is written with the new pin, and theirs survives', async () => {
    const it = project(group('old'));
    await succeeded(it.run('apply', '.', '--yes'));
    it.write(group('new')(it.name));
    await keep(it);
    await platform.call('PATCH', `/org/local/group/${it.name}`, { tags: { theirs: 'yes' } });
    await succeeded(it.run('apply', 'it.plan', '--yes'));
    expect(await live(`group/${it.name}`)).toMatchObject({ description: 'new', version: 3, tags: { theirs: 'yes' } });
    expect((await it.run('plan', '.', '--detailed-exitcode')).code).toBe(0);
  });
});

describe('secrets', () => {
  const forms = [canary, JSON.stringify(canary).slice(1, -1), Buffer.from(canary).toString('base64'), 'c4n4ry'];

  test('no byte of one is in the file or the output; they are read again, and compared', async () => {
    const it = project(secret(canary));
    const planned = await succeeded(it.run('plan', '.', '--out', 'it.plan'));
    const applied = await succeeded(it.run('apply', 'it.plan', '--yes', '-o', 'json'));
    const revealed = await live(`secret/${it.name}/-reveal`);
    expect(revealed).toMatchObject({ data: { payload: canary } });

    it.write(secret(`${canary}-2`)(it.name));
    await keep(it);
    const changed = await succeeded(it.run('apply', 'it.plan', '--yes'));
    expect(await live(`secret/${it.name}/-reveal`)).toMatchObject({ data: { payload: `${canary}-2` }, version: 2 });
    const texts = [readFileSync(it.file, 'latin1'), readFileSync(it.file, 'utf8')];
    for (const { stdout, stderr } of [planned, applied, changed]) texts.push(stdout, stderr);
    for (const text of texts) for (const form of forms) expect(text).not.toContain(form);
    expect((await it.run('plan', '.', '--detailed-exitcode')).code).toBe(0);
  });

  test('another value, or none, is refused without saying which; a changed field beside it does not matter', async () => {
    const it = project(secret(canary));
    await keep(it);
    it.write(secret('c4n4ry-other')(it.name));
    const changed = await refused(() => it.run('apply', 'it.plan', '--yes'), 'saved.secret-changed');
    expect(changed.stderr + changed.stdout).not.toContain('c4n4ry');
    it.write(group('no secret')(it.name));
    const none = await refused(() => it.run('apply', 'it.plan', '--yes'), 'saved.secret-changed');
    expect(none.stderr).toContain('made with: none is declared here');
    rmSync(join(it.folder, 'stack.yaml'));
    rmSync(join(it.folder, 'gantry.yaml'));
    await refused(() => it.run('apply', join(it.folder, 'it.plan'), '--yes'), 'saved.input-missing');
    it.write(`${secret(canary)(it.name)}description: later\n`);
    await succeeded(it.run('apply', 'it.plan', '--yes'));
    expect(await live(`secret/${it.name}`)).toMatchObject({ description: it.name });
  });

  test('where gantry.yaml with its environment is not, its secrets cannot be read again', async () => {
    const it = project(secret(canary));
    writeFileSync(join(it.folder, 'gantry.yaml'), `stack: ${it.name}\nenv: dev\nenvironments: { dev: {} }\n`);
    await keep(it);
    rmSync(join(it.folder, 'gantry.yaml'));
    const { stderr } = await refused(() => it.run('apply', 'it.plan', '--yes'), 'saved.input-missing');
    expect(stderr).toContain('has no environment dev here');
  });

  test('a secret whose value is not written needs no input', async () => {
    const it = project(secret(canary));
    await succeeded(it.run('apply', '.', '--yes'));
    it.write(`${secret(canary)(it.name)}description: told\n`);
    await keep(it);
    rmSync(join(it.folder, 'stack.yaml'));
    await succeeded(it.run('apply', 'it.plan', '--yes'));
    expect(await live(`secret/${it.name}`)).toMatchObject({ description: 'told' });
    expect(await live(`secret/${it.name}/-reveal`)).toMatchObject({ data: { payload: canary } });
  });

  test('a secret that somebody wrote since is stale, whatever it holds', async () => {
    const it = project(secret(canary));
    await succeeded(it.run('apply', '.', '--yes'));
    it.write(secret(`${canary}-2`)(it.name));
    await keep(it);
    await platform.call('PATCH', `/org/local/secret/${it.name}`, { description: 'theirs' });
    expect((await refused(() => it.run('apply', 'it.plan', '--yes'), 'plan.stale')).stderr).toContain('description');
  });

  test('with GANTRY_SECRET_KEY only who has the key can apply, and a file without it is refused', async () => {
    const it = project((name) => `${secret(canary)(name)}---\n${group('stays')(name)}`);
    const key = { GANTRY_SECRET_KEY: 'the key of the team' };
    await succeeded(it.runWith(key, 'plan', '.', '--out', 'it.plan'));
    expect(readFileSync(it.file, 'utf8')).not.toContain('scrypt');
    await refused(() => it.run('apply', 'it.plan', '--yes'), 'saved.key-missing');
    await refused(() => it.runWith({ GANTRY_SECRET_KEY: 'another' }, 'apply', 'it.plan', '--yes'), 'saved.tampered');
    await succeeded(it.runWith(key, 'apply', 'it.plan', '--yes'));
    it.write(group('plain')(it.name));
    await keep(it);
    await refused(() => it.runWith(key, 'apply', 'it.plan', '--yes'), 'saved.unsigned');
  });
});

describe('interrupted, and applied again', () => {
  const chain = (name: string) =>
    `${gvc(name)}spec: {keda: {enabled: true, identityLink: //identity/app}}\n---\nkind: identity\nname: app\ngvc: ${name}\n---\n${secret(canary)(name)}---\n${group('x')(name)}`;

  test.each([2, 4])('killed after write %i was carried out', async (write) => {
    const it = project(chain);
    await keep(it);
    const running: { kill?: () => void } = {};
    const proxy = await startProxy(
      platform.url,
      () => 'pass',
      (passing) => {
        if (passing.isWrite && passing.write === write) running.kill?.();
      },
    );
    const process = startGantry(proxy.url, ['apply', 'it.plan', '--yes'], it.folder);
    running.kill = () => process.child.kill('SIGKILL');
    expect((await process.ended).signal).toBe('SIGKILL');
    await proxy.close();

    await succeeded(it.run('apply', 'it.plan', '--yes'));
    expect(await live(`gvc/${it.name}`)).toMatchObject({ version: 2 });
    expect((await it.run('plan', '.', '--detailed-exitcode')).code).toBe(0);
    expect((await succeeded(it.run('apply', 'it.plan', '--yes'))).stdout).toContain('nothing is left');
  });
});

test('where the folder may not be written, that is said, and nothing is left behind', async () => {
  const it = project(group('x'));
  const outcome = await it.run('plan', '.', '--out', 'none/it.plan');
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain('error saved.unwritable');
  expect(readdirSync(it.folder).sort()).toEqual(['gantry.yaml', 'stack.yaml']);
});

test('gantry schema saved-plan is the schema of the file', async () => {
  const { stdout } = await inProcess(undefined, ['schema', 'saved-plan'], { cwd: root });
  const schema: unknown = JSON.parse(stdout);
  expect(isObject(schema) && schema['title']).toBe('Gantry saved plan, format 1');
  const built = readFileSync(new URL('../../../../dist/schemas/saved-plan.json', import.meta.url), 'utf8');
  expect(JSON.parse(built)).toEqual(schema);
});
