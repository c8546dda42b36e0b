import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { isObject, type JsonObject, listAt, stringAt } from '../../../../src/base/json/json.ts';
import { ToolError } from '../../../../src/base/toolError.ts';
import { openPlanFile } from '../../../../src/gantry/savedPlan/file.ts';
import { checkSignatures, type TrustedKeys } from '../../../../src/signing/checkSignatures.ts';
import { requireSignatures } from '../../../../src/signing/requiredApprovals.ts';
import { readSignatures } from '../../../../src/signing/signatureFile.ts';
import { readTrustedKeys } from '../../../../src/signing/trustedKeys.ts';
import { isEverySample } from '../../../harness/sampled.ts';
import { type Outcome, succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { useKeyPair } from '../../../writeKeyPair.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { writesSince } from '../../harness/platform.ts';
import { usePlatform } from '../../harness/usePlatform.ts';
import { type Project, useProjects } from '../../harness/useProjects.ts';

const platform = usePlatform();
const root = temporaryFolder('signed');
const trusted = ['--signed-by', join(root, 'planners'), '--approved-by', join(root, 'approvers')];
const newProject = useProjects(platform, 'signed', { root });

const usedKey = (name: string): string => useKeyPair(root, name).key;

const keys = { planner: usedKey('planner'), alice: usedKey('alice'), bob: usedKey('bob'), mallory: usedKey('mallory') };
const publicHalf = (name: string) => readFileSync(join(root, `${name}.pub`), 'utf8');
beforeAll(() => {
  writeFileSync(join(root, 'planners'), publicHalf('planner'));
  writeFileSync(join(root, 'approvers'), `${publicHalf('alice')}${publicHalf('bob')}`);
});

const project = () => newProject((name) => `kind: group\nname: ${name}\ndescription: first\n`);

/** A project with a plan that the planner has signed. */
async function planned(...flags: readonly string[]): Promise<Project> {
  const it = project();
  await succeeded(it.run('plan', '.', '--out', 'it.plan', '--sign', keys.planner, ...flags));
  return it;
}

const approve = (it: Project, key: string, ...flags: readonly string[]) =>
  it.run('approve', 'it.plan', '--sign', key, '--yes', ...flags);
const apply = (it: Project, ...flags: readonly string[]) => it.run('apply', 'it.plan', '--yes', ...trusted, ...flags);

/** Expects a refusal with this error code and exit code, and no write. */
async function refused(outcome: Promise<Outcome>, code: string, exit: number): Promise<Outcome> {
  const from = await platform.seen();
  const ended = await outcome;
  expect(ended.stderr, ended.stdout).toContain(`error ${code}`);
  expect(ended.code).toBe(exit);
  await platform.seen();
  expect(writesSince(platform, from)).toEqual([]);
  return ended;
}

afterEach(() => void vi.restoreAllMocks());

describe('a signed plan', () => {
  test('is applied with the required signatures, and show lists them', async () => {
    const it = await planned();
    await succeeded(approve(it, keys.alice));
    const shown = await succeeded(it.run('show', 'it.plan', ...trusted));
    expect(shown.stdout.match(/valid$/gm)).toHaveLength(2);
    expect(shown.stdout).toContain(`for the stack ${it.name} in the org local on ${platform.url}`);
    await succeeded(apply(it));
    expect((await platform.call('GET', `/org/local/group/${it.name}`)).body).toMatchObject({ description: 'first' });
  });

  test('is shown without keys as not verified, with the command that verifies it', async () => {
    const it = await planned();
    const { stdout } = await succeeded(it.run('show', 'it.plan'));
    expect(stdout).toMatch(/^Signatures:\n {2}plan {6}SHA256:\S+ {2}not verified\n/m);
    expect(stdout).toMatch(
      /\nTo verify signatures: gantry show it\.plan --signed-by FILE --approved-by FILE, each with public keys\.\n$/,
    );
    expect(stdout).not.toContain('not what was signed');
    expect(statesIn(await it.run('show', 'it.plan', '-o', 'json'))).toEqual(['unchecked']);
    await succeeded(it.run('show', 'it.plan', '--report', 'it.md', '--report', 'it.html'));
    expect(readFileSync(it.file('it.md'), 'utf8')).toContain('\nSignatures: 1 not verified.\n');
  });

  test('is shown without keys as another plan if the signatures are of another valid plan', async () => {
    const it = await planned();
    const signatures = readFileSync(it.file('it.plan.sig'));
    it.write(`kind: group\nname: ${it.name}\ndescription: tampered\n`);
    await succeeded(it.run('plan', '.', '--out', 'it.plan'));
    writeFileSync(it.file('it.plan.sig'), signatures);
    const { stdout } = await succeeded(it.run('show', 'it.plan'));
    expect(stdout).toMatch(/^ {2}plan {6}SHA256:\S+ {2}it is for another plan\n/m);
    expect(stdout).toContain(
      '\nThis file is not what was signed: it was changed, or the signatures are of another plan.\n',
    );
    expect(statesIn(await it.run('show', 'it.plan', '-o', 'json'))).toEqual(['other-plan']);
  });

  test('is shown without keys as expired if it is', async () => {
    const it = await planned('--valid-for', '1h');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 3_600_000);
    expect(statesIn(await it.run('show', 'it.plan', '-o', 'json'))).toEqual(['expired']);
  });

  test('reports an approval that does not count', async () => {
    const it = await planned();
    const signers = `signers: { plan: ${join(root, 'planners')}, approval: ${join(root, 'approvers')} }`;
    writeFileSync(it.file('gantry.yaml'), `stack: ${it.name}\n${signers}\n`);
    const lastLine = async (key: string) => (await succeeded(approve(it, key))).stdout.trimEnd().split('\n').at(-1);
    expect(await lastLine(keys.alice)).toMatch(/^Approved with SHA256:\S+\.$/);
    const none = 'which does not count as an approval:';
    expect(await lastLine(keys.alice)).toContain(`${none} this key has signed already.`);
    expect(await lastLine(keys.mallory)).toContain(`${none} its key is not trusted for this.`);
  });

  test('is applied again without changes', async () => {
    const it = await planned();
    await succeeded(approve(it, keys.alice));
    await succeeded(apply(it));
    expect((await succeeded(apply(it))).stdout).toContain('nothing is left');
  });

  test.each([
    { it: 'approvals before the plan', order: [1, 0] },
    { it: 'two approvals', order: [0, 1, 2] },
    { it: 'two approvals, the second one first', order: [2, 0, 1] },
  ])('accepts its signatures in any order: $it', async ({ order }) => {
    const it = await planned();
    await succeeded(approve(it, keys.alice));
    await succeeded(approve(it, keys.bob));
    const lines = readFileSync(it.file('it.plan.sig'), 'utf8').split('\n');
    writeFileSync(it.file('it.plan.sig'), order.map((index) => `${lines[index]}\n`).join(''));
    await succeeded(apply(it));
  });

  test('loses no signature if two users sign at the same time', async () => {
    const it = await planned();
    await Promise.all([succeeded(approve(it, keys.alice)), succeeded(approve(it, keys.bob))]);
    const shown = await succeeded(it.run('show', 'it.plan', '-o', 'json', ...trusted));
    expect(statesIn(shown)).toEqual(['valid', 'valid', 'valid']);
  });

  test('replaces the signatures of an earlier plan in the same file', async () => {
    const it = await planned();
    await succeeded(it.run('plan', '.', '--out', 'it.plan'));
    expect(existsSync(it.file('it.plan.sig'))).toBe(false);
    await refused(apply(it), 'saved.unsigned', 3);
  });

  test('does not overwrite another kind of file with the name of the signatures', async () => {
    const it = project();
    writeFileSync(it.file('it.plan.sig'), 'of another program\n');
    await refused(it.run('plan', '.', '--out', 'it.plan', '--sign', keys.planner), 'saved.unwritable', 1);
    expect(readFileSync(it.file('it.plan.sig'), 'utf8')).toBe('of another program\n');
  });

  test('can be signed by undo too', async () => {
    const it = await planned();
    await succeeded(approve(it, keys.alice));
    await succeeded(apply(it));
    await succeeded(it.run('undo', 'it.plan', '--out', 'back.plan', '--sign', keys.planner));
    await succeeded(it.run('apply', 'back.plan', '--yes', '--signed-by', join(root, 'planners')));
    expect(await platform.call('GET', `/org/local/group/${it.name}`)).toMatchObject({ status: 404 });
  });

  test('needs a file: --sign without --out is a usage error', async () => {
    await refused(project().run('plan', '.', '--sign', keys.planner), 'cli.usage', 64);
  });
});

function statesIn({ stdout }: Outcome): readonly (string | undefined)[] {
  const document: unknown = JSON.parse(stdout);
  const signatures = isObject(document) ? listAt(document, 'signatures') : [];
  return signatures.filter(isObject).map((signature: JsonObject) => stringAt(signature, 'state'));
}

describe('is refused', () => {
  test('without a signature', async () => {
    const it = project();
    await succeeded(it.run('plan', '.', '--out', 'it.plan'));
    await refused(apply(it), 'saved.unsigned', 3);
    await refused(it.run('show', 'it.plan', ...trusted), 'saved.unsigned', 3);
  });

  test('without an approval, and with an approval of the planner or of an unknown key', async () => {
    const it = await planned();
    expect((await refused(apply(it), 'saved.approvals', 3)).stderr).toContain('0 of 1 approvals');
    await refused(approve(it, keys.planner), 'saved.own-approval', 3);
    await succeeded(approve(it, keys.mallory));
    expect((await refused(apply(it), 'saved.approvals', 3)).stderr).toContain('its key is not trusted for this');
  });

  test('with the approval of a key that may plan and approve, if that key has planned', async () => {
    const it = await planned();
    const both = join(it.folder, 'both');
    writeFileSync(both, `${publicHalf('planner')}${publicHalf('alice')}`);
    // `approve` refuses that, so the line is made for a copy of the plan that has no signature yet.
    copyFileSync(it.file('it.plan'), it.file('copy.plan'));
    await succeeded(it.run('approve', 'copy.plan', '--sign', keys.planner, '--yes'));
    const own = readFileSync(it.file('copy.plan.sig'), 'utf8');
    writeFileSync(it.file('it.plan.sig'), `${own}${readFileSync(it.file('it.plan.sig'), 'utf8')}`);
    const withBoth = ['--signed-by', both, '--approved-by', both];
    await refused(it.run('apply', 'it.plan', '--yes', ...withBoth), 'saved.approvals', 3);
    await refused(it.run('apply', 'it.plan', '--yes', '--approved-by', both), 'saved.approvals', 3);
  });

  test('if signed by a key that may only approve, or by an unknown key', async () => {
    const it = project();
    await succeeded(it.run('plan', '.', '--out', 'it.plan', '--sign', keys.alice));
    await succeeded(approve(it, keys.bob));
    await refused(apply(it), 'saved.signature-unknown', 3);
    const stranger = project();
    await succeeded(stranger.run('plan', '.', '--out', 'it.plan', '--sign', keys.mallory));
    await refused(apply(stranger), 'saved.signature-unknown', 3);
  });

  test('with the signatures of another plan, alone or with its own', async () => {
    const [it, other] = [await planned(), await planned()];
    await succeeded(approve(other, keys.alice));
    const own = readFileSync(it.file('it.plan.sig'), 'utf8');
    const foreign = readFileSync(other.file('it.plan.sig'), 'utf8');
    for (const lines of [foreign, `${own}${foreign}`, `${own}${foreign.split('\n')[1]}\n`]) {
      writeFileSync(it.file('it.plan.sig'), lines);
      await refused(apply(it), 'saved.signature-invalid', 3);
    }
  });

  test('on another endpoint, in another environment, for another org or stack', async () => {
    const it = await planned();
    await succeeded(approve(it, keys.alice));
    await refused(apply(it, '--endpoint', 'http://127.0.0.1:9'), 'saved.other-endpoint', 3);
    await refused(apply(it, '--endpoint', `${platform.url},http://127.0.0.1:9`), 'saved.other-endpoint', 3);
    await refused(apply(it, '--org', 'other'), 'saved.other-org', 3);
    await refused(apply(it, '--stack', 'other'), 'saved.other-stack', 3);
    await refused(apply(it, '--env', 'prod'), 'saved.other-environment', 3);
  });

  test('if plan and approval are for different endpoints', async () => {
    const it = await planned();
    await refused(
      approve(it, keys.alice, '--endpoint', 'http://127.0.0.1:9', '--signed-by', join(root, 'planners')),
      'saved.other-endpoint',
      3,
    );
    await succeeded(approve(it, keys.alice, '--endpoint', 'http://127.0.0.1:9'));
    await refused(apply(it), 'saved.other-endpoint', 3);
  });

  test('if the signature or the approval has expired', async () => {
    const now = Date.now();
    const at = (minutes: number) => vi.spyOn(Date, 'now').mockReturnValue(now + minutes * 60_000);
    at(0);
    const it = await planned('--valid-for', '1h');
    await succeeded(approve(it, keys.alice, '--valid-for', '30m'));
    at(31);
    expect((await refused(apply(it), 'saved.approvals', 3)).stderr).toContain('it has expired');
    at(61);
    await refused(apply(it), 'saved.signature-expired', 4);
    at(-6);
    await refused(apply(it), 'saved.signature-invalid', 3);
    at(29);
    await succeeded(apply(it));
  });

  test('if any byte of the plan or of its signatures is changed, missing or added', async () => {
    const it = await planned();
    await succeeded(approve(it, keys.alice));
    const names = ['it.plan', 'it.plan.sig'];
    const originals = new Map(names.map((name) => [name, readFileSync(it.file(name))]));
    const keysIn = (file: string) => readTrustedKeys(join(root, file), it.folder);
    const trustedKeys = { plan: await keysIn('planners'), approval: await keysIn('approvers') };
    let accepted: readonly string[] = [];
    let tried = 0;
    for (const [name, bytes] of originals) {
      for (const [what, changed] of alterations(bytes)) {
        writeFileSync(it.file(name), changed);
        tried += 1;
        if (await isAccepted(it, trustedKeys)) accepted = [...accepted, `${name}: ${what}`];
      }
      writeFileSync(it.file(name), bytes);
    }
    expect(accepted).toEqual([]);
    expect(tried).toBeGreaterThan([...originals.values()].reduce((sum, { length }) => sum + length, 0) / alteredOf);
    await succeeded(apply(it));
  });

  test('if a signature is removed', async () => {
    const it = await planned();
    await succeeded(approve(it, keys.alice));
    const [plan, approval] = readFileSync(it.file('it.plan.sig'), 'utf8').split('\n');
    writeFileSync(it.file('it.plan.sig'), `${plan}\n`);
    await refused(apply(it), 'saved.approvals', 3);
    writeFileSync(it.file('it.plan.sig'), `${approval}\n`);
    await refused(apply(it), 'saved.unsigned', 3);
    rmSync(it.file('it.plan.sig'));
    await refused(apply(it), 'saved.unsigned', 3);
  });

  test('if approve cannot ask whether to approve', async () => {
    const it = await planned();
    await refused(it.run('approve', 'it.plan', '--sign', keys.alice), 'saved.not-approved', 1);
    await refused(it.run('approve', 'it.plan', '--yes'), 'cli.usage', 64);
  });
});

describe('limits of an environment', () => {
  /** A project with the environment prod, which requires a signature and this number of approvals. */
  function limited(approvals: number, signers: string): Project & { readonly bare: Project['run'] } {
    const it = project();
    const limits = `limits: { signature: required, approvals: ${approvals} }`;
    writeFileSync(it.file('gantry.yaml'), `stack: ${it.name}\n${signers}environments:\n  prod: { ${limits} }\n`);
    return { ...it, bare: it.run, run: (...args) => it.run(...args, '--env', 'prod') };
  }
  const signers = `signers: { plan: ../planners, approval: ../approvers }\n`;
  const plan = (it: Project) => it.run('plan', '.', '--out', 'it.plan', '--sign', keys.planner);
  const yes = (it: Project, ...flags: readonly string[]) => it.run('apply', 'it.plan', '--yes', ...flags);

  test('require signatures, by the keys of the settings without flags', async () => {
    const it = limited(2, signers);
    await succeeded(plan(it));
    await succeeded(approve(it, keys.alice));
    const ended = await refused(yes(it), 'saved.approvals', 3);
    expect(ended.stderr).toContain('environments.prod.limits.approvals: this plan has 1 of 2 approvals');
    await succeeded(approve(it, keys.alice));
    expect((await refused(yes(it), 'saved.approvals', 3)).stderr).toContain('this key has signed already');
    await succeeded(approve(it, keys.bob));
    // The plan has now what it lacked when it was made.
    const lacked = 'at the time of planning, an apply would be refused';
    expect((await succeeded(it.bare('show', 'it.plan'))).stdout).not.toContain(lacked);
    const applied = await succeeded(yes(it, '--report', 'applied.md'));
    expect(applied.stdout).not.toContain(lacked);
    expect(readFileSync(it.file('applied.md'), 'utf8')).not.toContain(lacked);
    const { stdout } = await it.run('destroy', '.', '--yes');
    expect(stdout).toContain('environments.prod.limits.signature: only a signed plan file');
    expect(stdout).toContain('To permit it: gantry plan --allow-empty --out FILE --sign KEYFILE');
  });

  test('refuse a plan that is not in a file', async () => {
    const it = limited(1, signers);
    const said = await it.run('apply', '.', '--yes');
    expect(said.code).toBe(3);
    expect((await platform.call('GET', `/org/local/group/${it.name}`)).status).toBe(404);
    expect(said.stdout).toContain('environments.prod.limits.signature: only a signed plan file can be applied');
    const planned = await succeeded(plan(it));
    expect(planned.stdout).toContain('an apply would be refused: gantry.yaml: environments.prod.limits.approvals');
  });

  test('are not loosened by flags: keys of a flag must also be in the settings', async () => {
    const it = limited(1, signers);
    await succeeded(it.run('plan', '.', '--out', 'it.plan', '--sign', keys.mallory));
    const flags = ['--signed-by', join(root, 'mallory.pub'), '--approved-by', join(root, 'mallory.pub')];
    await refused(yes(it, ...flags), 'saved.signature-unknown', 3);
  });

  test('need keys from settings or flags', async () => {
    const it = limited(1, '');
    await succeeded(plan(it));
    await refused(yes(it), 'settings.signers', 1);
    await refused(yes(it, '--signed-by', join(root, 'planners')), 'settings.signers', 1);
    await succeeded(approve(it, keys.alice));
    await succeeded(yes(it, ...trusted));
  });

  test('apply to a plan that was made when they were stricter', async () => {
    const it = limited(1, signers);
    await succeeded(plan(it));
    writeFileSync(it.file('gantry.yaml'), `stack: ${it.name}\n${signers}environments: { prod: {} }\n`);
    await refused(yes(it), 'saved.approvals', 3);
  });
});

describe('the settings for a saved plan', () => {
  /** A project with limits in prod, and a folder `scripts` in it with a manifest but no settings. */
  function withScripts(): Project {
    const it = project();
    const prod = 'environments: { prod: { limits: { signature: required, approvals: 1 } } }';
    writeFileSync(it.file('gantry.yaml'), `stack: ${it.name}\n${prod}\n`);
    mkdirSync(it.file('scripts'));
    writeFileSync(it.file('scripts/app.yaml'), `kind: group\nname: ${it.name}\n`);
    return it;
  }
  const inProd = (cwd: string, ...args: readonly string[]) =>
    inProcess(platform, args, { cwd, env: { GANTRY_ENV: 'prod' } });

  test('are those of the folder where it is applied, whatever folder the plan names', async () => {
    const it = withScripts();
    await succeeded(it.run('plan', 'scripts', '--stack', it.name, '--out', 'evil.plan'));
    for (const args of [['apply'], ['approve', '--sign', keys.alice]]) {
      const ended = await refused(inProd(it.folder, ...args, 'evil.plan', '--yes'), 'saved.other-project', 3);
      expect(ended.stderr).toContain(`the project in ${it.file('scripts')}, and ${it.folder} has a gantry.yaml`);
    }
    await succeeded(it.run('show', 'evil.plan'));
  });

  test('are not avoided by a folder without settings: GANTRY_ENV without effect is refused', async () => {
    const it = withScripts();
    await refused(inProd(it.folder, 'apply', 'scripts/app.yaml', '--stack', it.name, '--yes'), 'stack.environment', 1);
    mkdirSync(it.file('.git'));
    await refused(inProd(it.file('scripts'), 'apply', '.', '--stack', it.name, '--yes'), 'stack.environment', 1);
    const other = project();
    await succeeded(inProd(other.folder, 'apply', '.', '--yes'));
  });

  test('are required if an environment is chosen that the project does not have', async () => {
    const it = withScripts();
    const scripts = it.file('scripts');
    const run = (...args: readonly string[]) => inProcess(platform, args, { cwd: scripts });
    await succeeded(run('plan', '.', '--stack', it.name, '--out', '../evil.plan'));
    const ended = await refused(inProd(scripts, 'apply', '../evil.plan', '--yes'), 'saved.other-environment', 3);
    expect(ended.stderr).toContain('this plan is for no environment, not prod');
    await refused(run('apply', '../evil.plan', '--yes', '--env', 'prod'), 'saved.other-environment', 3);
    await succeeded(run('apply', '../evil.plan', '--yes'));
  });
});

/** Decides like `gantry show --signed-by FILE --approved-by FILE`, without a command for each of thousands of cases. */
async function isAccepted({ folder }: Project, trustedKeys: TrustedKeys): Promise<boolean> {
  try {
    const { bytes } = await openPlanFile('it.plan', { cwd: folder, environment: {} });
    const checking = { plan: bytes, target: undefined, keys: trustedKeys, nowMs: Date.now() };
    requireSignatures(checkSignatures(await readSignatures('it.plan', folder), checking), {
      signature: true,
      approvals: 1,
    });
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

/** One byte in this number of bytes is changed. */
const alteredOf = isEverySample ? 1 : 7;

/** Flipped bytes, exchanged white space, missing ends, and additions. */
function* alterations(bytes: Buffer): Generator<readonly [string, Buffer]> {
  for (const [index, byte] of bytes.entries()) {
    if (index % alteredOf !== 0) continue;
    const changed = Buffer.from(bytes);
    changed[index] = byte ^ 0x01;
    yield [`byte ${index} flipped`, changed];
    if (byte !== 0x0a && byte !== 0x20) continue;
    const spaced = Buffer.from(bytes);
    spaced[index] = byte === 0x0a ? 0x20 : 0x0a;
    yield [`space ${index} exchanged`, spaced];
  }
  for (const length of [0, 1, Math.floor(bytes.length / 2), bytes.length - 1]) {
    yield [`cut to ${length}`, bytes.subarray(0, length)];
  }
  for (const more of [' ', '\n', '\0', 'x', '{}\n'])
    yield ['more behind it', Buffer.concat([bytes, Buffer.from(more)])];
}
