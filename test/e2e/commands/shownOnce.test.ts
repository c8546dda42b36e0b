import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('shown-once');
let count = 0;
let stack = '';
beforeEach(() => {
  count += 1;
  stack = `once-${count}`;
});

const account = (key = 'pipeline') => ({
  text: `kind: serviceaccount\nname: ${stack}\n`,
  key: `\${live.serviceaccount/${stack}:keys.${key}.key}`,
});
const output = (value: string, file = `${stack}.key`) =>
  `kind: output\nname: token\nvalue: '${value}'\nsaveTo: { file: ${file} }\n`;
const second = (value: string, file: string) => output(value, file).replace('name: token', 'name: other');
const secret = (payload: string, more = '') =>
  `kind: secret\nname: ${stack}-key\ntype: opaque\n${more}data: { payload: '${payload}', encoding: plain }\n`;

function declare(...documents: readonly string[]): void {
  writeFileSync(join(root, `${stack}.yaml`), documents.join('---\n'));
}

const run = (verb: string, ...flags: readonly string[]) =>
  inProcess(platform, [verb, `${stack}.yaml`, '--stack', stack, ...flags], { cwd: root });
const apply = (...flags: readonly string[]) => run('apply', '--yes', ...flags);
const recordOf = async (path: string): Promise<JsonObject> => (await platform.call('GET', `/org/local/${path}`)).body;
const keysOf = async (name = stack) => listAt(await recordOf(`serviceaccount/${name}`), 'keys').filter(isObject);
const revealed = async () => stringAt(objectAt(await recordOf(`secret/${stack}-key/-reveal`), 'data'), 'payload') ?? '';

/** Does the platform take it for a key? */
async function isKey(token: string): Promise<boolean> {
  const { stderr } = await inProcess(platform, ['gvc', 'get'], { cwd: root, env: { GANTRY_TOKEN: token } });
  return !stderr.includes('api.unauthorized');
}

describe('a new key of a service account', () => {
  test('goes to a file that only its owner can read, and is shown nowhere', async () => {
    const { text, key } = account();
    declare(text, output(key));
    const planned = await run('plan', '--out', `${stack}.plan`);
    expect(planned.stdout).toContain(
      `a new key of serviceaccount/${stack} for pipeline: shown once, and saved to the file ${stack}.key (output token)`,
    );
    expect(existsSync(join(root, `${stack}.key`))).toBe(false);
    const applied = await apply();
    expect(applied.code, applied.stderr).toBe(0);
    const file = join(root, `${stack}.key`);
    const value = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([await isKey(value), await isKey('none')]).toEqual([true, false]);
    expect(applied.stdout).toContain(`the output token is in the file ${stack}.key, and is not shown again`);
    expect((await keysOf()).map((each) => each['description'])).toEqual(['pipeline']);

    const again = await apply('-o', 'json');
    expect(JSON.parse(again.stdout).saves).toBeUndefined();
    expect(readFileSync(file, 'utf8')).toBe(value);
    expect(await keysOf()).toHaveLength(1);
    const shown = await run('output', '-o', 'json', '--reveal');
    const every = [planned, applied, again, shown].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    expect(every + readFileSync(join(root, `${stack}.plan`), 'utf8')).not.toContain(value);
  });

  test('is made for an account that is there, and another one for another description', async () => {
    declare(account().text);
    await succeeded(apply());
    declare(account().text, output(account('one').key, `${stack}-1.key`));
    await succeeded(apply());
    declare(account().text, output(account('two').key, `${stack}-2.key`));
    await succeeded(apply());
    const [one, two] = ['1', '2'].map((each) => readFileSync(join(root, `${stack}-${each}.key`), 'utf8'));
    expect(one).not.toBe(two);
    expect((await keysOf()).map((each) => each['description'])).toEqual(['one', 'two']);
    expect((await run('plan')).stdout).toContain('No changes');
  });

  test('is not made where a file is there: it is not overwritten, and nothing is changed', async () => {
    declare(account().text, output(account().key));
    writeFileSync(join(root, `${stack}.key`), 'mine');
    const refused = await apply();
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining('output.file')]);
    expect(readFileSync(join(root, `${stack}.key`), 'utf8')).toBe('mine');
    expect((await platform.call('GET', `/org/local/serviceaccount/${stack}`)).status).toBe(404);
  });

  test('is not made where the folder of its file does not exist, which the error says', async () => {
    declare(account().text, output(account().key, 'none/key'));
    const { stderr } = await apply();
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'saved to none/key, which cannot be made: its folder does not exist; nothing was changed',
    );
    expect(stderr).toContain('Make the folder, or name another file in saveTo.');
    expect((await platform.call('GET', `/org/local/serviceaccount/${stack}`)).status).toBe(404);
  });

  test('is not made for a file that another output has, which is known before anything runs', async () => {
    declare(account().text, output(account('one').key), second(account('two').key, `./${stack}.key`));
    const refused = await apply();
    expect([refused.code, refused.stderr.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('output.save - the output token is saved to this file, too'),
    ]);
    expect((await platform.call('GET', `/org/local/serviceaccount/${stack}`)).status).toBe(404);
  });

  test('is not made for a file that got content while the plan ran', async () => {
    // Two names of one folder, which only the file system knows.
    symlinkSync('.', join(root, `${stack}-link`));
    declare(account().text, output(account('one').key), second(account('two').key, `${stack}-link/${stack}.key`));
    const { code, stdout, stderr } = await apply();
    expect(code).not.toBe(0);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(
      'which something else changed while the plan ran; it was not written',
    );
    expect((await keysOf()).map((each) => each['description'])).toEqual(['one']);
    expect(await isKey(readFileSync(join(root, `${stack}.key`), 'utf8'))).toBe(true);
  });

  test('is told by gantry output as what it is, before and after', async () => {
    declare(account().text, output(account().key));
    const said = `token  (no value: it is shown once, when it is made, and saved to ${stack}.key then)`;
    expect((await run('output')).stdout).toContain(said);
    expect((await apply()).stdout).toContain(said);
    expect((await run('output')).stdout).toContain(said);
  });
});

describe('a secret takes a new key', () => {
  test('when it is created, and keeps it', async () => {
    declare(account().text, secret(account().key));
    const planned = await run('plan');
    expect(planned.stdout).toContain(`note: known after apply: keys.pipeline.key of serviceaccount/${stack}`);
    const applied = await apply();
    expect(applied.code, applied.stderr).toBe(0);
    const value = await revealed();
    expect(await isKey(value)).toBe(true);
    expect(applied.stdout + applied.stderr).not.toContain(value);
    declare(account().text, secret(account().key, 'description: new\n'));
    const again = await apply('--verify=full');
    expect(again.code, again.stderr).toBe(0);
    expect([await revealed(), (await keysOf()).length]).toEqual([value, 1]);
    expect((await run('plan')).stdout).toContain('No changes');
    expect((await run('drift')).stdout).not.toContain('data');
  });

  test('again where the key is removed, or is for something else: so keys are rotated', async () => {
    declare(account().text, secret(account().key));
    await succeeded(apply());
    const first = await revealed();
    const [key] = await keysOf();
    await succeeded(
      inProcess(platform, ['serviceaccount', 'remove-key', stack, '--key', stringAt(key ?? {}, 'name') ?? ''], {
        cwd: root,
      }),
    );
    const planned = await run('plan');
    expect(planned.stdout).toMatch(/data.*\(sensitive, changed\)/);
    await succeeded(apply());
    const second = await revealed();
    expect([second !== first, await isKey(second), await isKey(first)]).toEqual([true, true, false]);
    declare(account().text, secret(account('next').key));
    await succeeded(apply());
    const third = await revealed();
    expect([third !== second, await isKey(third), await isKey(second)]).toEqual([true, true, true]);
    expect((await run('plan')).stdout).toContain('No changes');
  });

  test('and a file the same one', async () => {
    declare(account().text, secret(account().key), output(account().key));
    await succeeded(apply());
    expect(readFileSync(join(root, `${stack}.key`), 'utf8')).toBe(await revealed());
    expect(await keysOf()).toHaveLength(1);
  });

  test('but not one that nobody can read any more, which is said before anything is written', async () => {
    declare(account().text);
    await succeeded(apply());
    await succeeded(
      inProcess(platform, ['serviceaccount', 'add-key', stack, '--description', 'pipeline'], { cwd: root }),
    );
    const [key] = await keysOf();
    declare(account().text, secret(account().key));
    const refused = await run('plan');
    expect(refused.stdout).toContain(
      `refused live.once: it takes keys.pipeline.key of serviceaccount/${stack}, which was shown when it was made`,
    );
    expect(refused.stdout.replace(/\s+/g, ' ')).toContain(
      `gantry serviceaccount remove-key ${stack} --key ${stringAt(key ?? {}, 'name')}, and apply again: that makes another key`,
    );
  });

  test('in rehearsal, and from a saved plan, which knows what is done', async () => {
    declare(account().text, secret(account().key));
    const rehearsed = await run('plan', '--rehearse', '--out', `${stack}.plan`);
    expect(rehearsed.code, rehearsed.stdout + rehearsed.stderr).toBe(0);
    const saved = (verb: string, ...flags: readonly string[]) =>
      inProcess(platform, [verb, `${stack}.plan`, ...flags], { cwd: root });
    await succeeded(saved('apply', '--yes'));
    expect(await isKey(await revealed())).toBe(true);
    const again = await succeeded(saved('apply', '--yes'));
    expect(again.stdout).toContain('Everything in this plan is done');
  });
});

test('a rehearsal with interruptions knows that a value may be lost on the way', async () => {
  declare(account().text, secret(account().key));
  const rehearsed = await run('plan', '--rehearse=crash');
  expect(rehearsed.code, rehearsed.stdout + rehearsed.stderr).toBe(0);
});

describe('what an agent is started with', () => {
  const agent = () => `kind: agent\nname: ${stack}\n`;
  const config = (path = '') => `\${live.agent/${stack}:status.bootstrapConfig${path}}`;

  test('goes to a file as JSON, and its token to a secret', async () => {
    declare(agent(), output(config()), secret(config('.registrationToken')));
    const applied = await apply();
    expect(applied.code, applied.stderr).toBe(0);
    const written = JSON.parse(readFileSync(join(root, `${stack}.key`), 'utf8'));
    expect(written).toMatchObject({ agentLink: `/org/local/agent/${stack}`, registrationToken: await revealed() });
    expect(applied.stdout + applied.stderr).not.toContain(written.registrationToken);
    expect((await run('plan')).stdout).toContain('No changes');
  });

  test('of one that is there is lost', async () => {
    declare(agent());
    await succeeded(apply());
    declare(agent(), secret(config('.registrationToken')));
    const refused = await run('plan');
    expect(refused.stdout.replace(/\s+/g, ' ')).toContain(
      `gantry agent delete ${stack}, and apply again: that makes it anew`,
    );
  });
});

test('a file that a killed run has left empty is told, with what makes another value', async () => {
  declare(account().text, output(account().key));
  await succeeded(apply());
  writeFileSync(join(root, `${stack}.key`), '');
  const [key] = await keysOf();
  const planned = await run('plan');
  expect(planned.stdout.replace(/\s+/g, ' ')).toContain(
    `the value of the output token is lost: a run ended before it was written to ${stack}.key. Run gantry serviceaccount remove-key ${stack} --key ${stringAt(key ?? {}, 'name')}, and apply again`,
  );
});

test.each([
  ['a field of another record', () => `kind: group\nname: ${stack}\ndescription: '${account().key}'\n`, 'live.once'],
  ['an output without a file', () => `kind: output\nname: token\nvalue: '${account().key}'\n`, 'live.once'],
  ['a file, where it can be read again', () => output(`\${live.serviceaccount/${stack}:description}`), 'output.save'],
  ['another stack', () => secret('${live.serviceaccount/far:keys.pipeline.key}'), 'live.elsewhere'],
  ['a file of another stack', () => output('${live.agent/far:status.bootstrapConfig}'), 'live.elsewhere'],
])('a value that is shown once is refused in %s', async (_, document, rule) => {
  declare(account().text, document());
  const { code, stdout } = await inProcess(undefined, ['validate', `${stack}.yaml`], { cwd: root });
  expect([code, stdout]).toEqual([1, expect.stringContaining(rule)]);
});
