import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { providerBlock } from '../../../src/hcl/schema/providerBlock.ts';
import { unknown } from '../../../src/hcl/value.ts';
import { ProfileStore } from '../../../src/project/settings/profileStore.ts';
import { type SettingRow, settingsTable, variableOfAttribute } from '../../../src/project/settings/settingsTable.ts';
import { makeCertificate } from '../../../src/provider/host/certificate.ts';
import { blockProblems, firstUse, readSettings } from '../../../src/provider/platform/settings.ts';
import { stateOwner } from '../../../src/provider/platform/stateIdentity.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const folder = temporaryFolder('settings');
const of = (block: Parameters<typeof readSettings>[0], environment: Record<string, string> = {}) =>
  readSettings(block, { environment, cwd: folder });
const summaries = async (...args: Parameters<typeof of>) => {
  const settings = await of(...args);
  return 'diagnostics' in settings ? settings.diagnostics.map(({ summary, path }) => `${path}: ${summary}`) : settings;
};

describe('the settings of a provider', () => {
  const environment = { GANTRY_ENDPOINT: 'https://e', GANTRY_ORG: 'o', GANTRY_GVC: 'g', GANTRY_TOKEN: 't' };

  it('are the variables of the command line; the provider block overrides them', async () => {
    expect(await of({}, environment)).toMatchObject({ endpoint: 'https://e', org: 'o', gvc: 'g', token: 't' });
    expect(await of({ org: 'x', token: 'y' }, environment)).toMatchObject({
      endpoint: 'https://e',
      org: 'x',
      token: 'y',
    });
  });

  it('contain the duration for which older reads are repeated', async () => {
    const told = { ...environment, GANTRY_CONSISTENCY_TIMEOUT: '30s' };
    expect(await of({}, told)).toMatchObject({ consistencyMs: 30_000 });
    expect(await of({ consistency_timeout: '2m' }, told)).toMatchObject({ consistencyMs: 120_000 });
    expect(await of({}, environment)).toMatchObject({ consistencyMs: undefined });
    expect(await summaries({ consistency_timeout: '30' }, environment)).toEqual([
      'consistency_timeout: "30" is not a valid duration',
    ]);
  });

  it('contain no endpoint for an embedded platform, and its default org if none is named', async () => {
    const settings = await of({ embedded: 'data' }, { GANTRY_ENDPOINT: 'https://e' });
    expect(settings).toMatchObject({ endpoint: undefined, org: 'local', embedded: join(folder, 'data') });
  });

  it('read the token from a file, without its line end', async () => {
    writeFileSync(join(folder, 'token'), 'secret\n');
    expect(await of({ token_file: 'token' }, environment)).toMatchObject({ token: 'secret' });
    expect(await summaries({ token_file: 'none' }, environment)).toEqual([
      'token_file: none cannot be read: there is no such file',
    ]);
    writeFileSync(join(folder, 'empty'), '\n');
    expect(await summaries({ token_file: 'empty' }, environment)).toEqual([
      'token_file: empty cannot be read: it is empty',
    ]);
    expect(await summaries({ token_file: '.' }, environment)).toEqual([
      'token_file: . cannot be read: it is a folder, not a file',
    ]);
    // Reading it would never end.
    expect(await summaries({ token_file: '/dev/zero' }, environment)).toEqual([
      expect.stringContaining('token_file: /dev/zero cannot be read: '),
    ]);
  });

  it('come from a profile last, without its GVC; its token and --insecure only for its own endpoint', async () => {
    const home = join(folder, 'home');
    const store = new ProfileStore({ GANTRY_HOME: home });
    const prod = { endpoint: 'https://prod', org: 'acme', gvc: 'shop', token: 'of-prod', insecure: true };
    await store.write('prod', prod);
    await store.write('test', { endpoint: 'https://test', org: 'acme-test' });
    const mine = { GANTRY_HOME: home };
    const found = { endpoint: 'https://prod', org: 'acme', gvc: undefined, token: 'of-prod', insecure: true };
    expect(await of({ profile: 'prod' }, mine)).toMatchObject({ ...found, tokenTarget: undefined });
    expect(await of({}, { ...mine, GANTRY_PROFILE: 'prod' })).toMatchObject(found);
    expect(await of({ profile: 'test' }, { ...mine, GANTRY_PROFILE: 'prod' })).toMatchObject({ org: 'acme-test' });
    expect(await of({ profile: 'prod', org: 'x', insecure: false }, { ...mine, GANTRY_TOKEN: 't' })).toMatchObject({
      endpoint: 'https://prod',
      org: 'x',
      token: 't',
      insecure: false,
    });
    expect(await of({ profile: 'prod' }, { ...mine, GANTRY_ENDPOINT: 'https://e' })).toMatchObject({
      endpoint: 'https://e',
      token: undefined,
      insecure: false,
    });
    expect(await summaries({}, mine)).toEqual(['endpoint: No platform is set', 'org: No org is set']);
    await store.setDefault('test');
    expect(await of({}, mine)).toMatchObject({ endpoint: 'https://test', org: 'acme-test', token: undefined });
    expect(await of({ embedded: 'data' }, mine)).toMatchObject({ endpoint: undefined, org: 'local' });
    expect(await summaries({ profile: 'prodd' }, mine)).toEqual(['profile: there is no profile "prodd"']);
  });

  it('read certificate authorities from a file', async () => {
    const { certificate } = makeCertificate(new Date());
    writeFileSync(join(folder, 'ca.pem'), `# ours\n${certificate}${certificate}`);
    const settings = await of({ ca_file: 'ca.pem' }, environment);
    expect('authorities' in settings && settings.authorities?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    writeFileSync(join(folder, 'none.pem'), 'nothing');
    writeFileSync(join(folder, 'cut.pem'), certificate.replace(/\n.{64}\n/, '\n'));
    expect(await summaries({ ca_file: 'none.pem' }, environment)).toEqual([
      'ca_file: none.pem cannot be read: there is no certificate in it',
    ]);
    expect(await summaries({ ca_file: 'cut.pem' }, environment)).toEqual([
      expect.stringContaining('ca_file: cut.pem cannot be read: '),
    ]);
    expect(await summaries({ ca_file: 'absent.pem' }, environment)).toEqual([
      'ca_file: absent.pem cannot be read: there is no such file',
    ]);
    expect(await summaries({ ca_file: 'ca.pem', insecure: true }, environment)).toEqual([
      'ca_file: insecure and ca_file are both set',
    ]);
  });

  it('follow the one table of settings, whose variables the reference names', () => {
    const { attributes } = providerBlock;
    for (const { attribute, variable } of Object.values<SettingRow>(settingsTable)) {
      if (attribute === undefined) continue;
      expect(Object.keys(attributes)).toContain(attribute);
      if (variable !== undefined) expect(attributes[attribute]?.description).toContain(`\`${variable}\``);
    }
    const named = Object.values(attributes).flatMap(({ description }) => description.match(/GANTRY_\w+/g) ?? []);
    const told = Object.keys(attributes).flatMap((name) => variableOfAttribute(name) ?? []);
    expect(named.toSorted()).toEqual(told.toSorted());
  });

  it('send no token from outside the configuration over plain HTTP to an endpoint in it', async () => {
    const summary = 'endpoint: The token would go over the network unencrypted';
    const endpoint = 'http://platform.example';
    expect(await summaries({ endpoint }, environment)).toEqual([summary]);
    writeFileSync(join(folder, 'token'), 'secret\n');
    expect(await summaries({ endpoint, token_file: 'token' }, environment)).toEqual([summary]);
    const settings = await of({ endpoint }, environment);
    expect('diagnostics' in settings && settings.diagnostics[0]?.detail).toBe(
      'The token of GANTRY_TOKEN would go to http://platform.example, which the provider block names. Use https there; or, if you trust the network, set the variable GANTRY_ENDPOINT in place of endpoint.',
    );
    expect(await of({ endpoint: 'https://platform.example' }, environment)).toMatchObject({ token: 't' });
    expect(await of({ endpoint: 'http://localhost:80' }, environment)).toMatchObject({ token: 't' });
    expect(await of({ endpoint, token: 'of-the-block' }, environment)).toMatchObject({ token: 'of-the-block' });
    expect(await of({}, { ...environment, GANTRY_ENDPOINT: endpoint })).toMatchObject({ endpoint, token: 't' });
    expect(await of({ endpoint }, { GANTRY_ORG: 'o' })).toMatchObject({ token: undefined });
  });

  it('warn once if the endpoint of the block gets a token from outside it', async () => {
    const surroundings = { environment: { ...environment, HOME: folder }, cwd: folder };
    const warnings = async (block: Parameters<typeof readSettings>[0]) => {
      const settings = await readSettings(block, surroundings);
      if ('diagnostics' in settings) throw new Error('there are no settings');
      return (await firstUse(settings, surroundings)).map(({ severity, summary }) => `${severity}: ${summary}`);
    };
    const endpoint = 'https://first.example';
    expect(await warnings({})).toEqual([]);
    expect(await warnings({ endpoint, token: 'y' })).toEqual([]);
    expect(await warnings({ endpoint: 'http://127.0.0.1:1' })).toEqual([]);
    expect(await warnings({ endpoint })).toEqual([`warning: The token goes to ${endpoint} for the first time`]);
    expect(await warnings({ endpoint })).toEqual([]);
  });

  it('report missing and unknown values at the attribute', async () => {
    expect(await summaries({})).toEqual(['endpoint: No platform is set', 'org: No org is set']);
    expect(await summaries({}, { ...environment, GANTRY_ENDPOINT: 'localhost:80' })).toEqual([
      'endpoint: "localhost:80" is not a valid HTTP or HTTPS URL',
    ]);
    expect(await summaries({ endpoint: 'platform' }, environment)).toEqual([
      'endpoint: "platform" is not a valid HTTP or HTTPS URL',
    ]);
    expect(await summaries({ endpoint: unknown, org: 'o' })).toEqual(['endpoint: endpoint is not known yet']);
    expect(await summaries({ endpoint: 'https://e', org: unknown })).toEqual(['org: org is not known yet']);
  });

  // biome-ignore format: a row is a case
  it.each<[Parameters<typeof blockProblems>[0], string]>([
    [{ insecure: true, ca_file: 'ca.pem' }, 'ca_file: insecure and ca_file are both set'],
    [{ token: 't', token_file: 'token' }, 'token_file: token and token_file are both set'],
    [{ endpoint: 'https://e', embedded: 'data' }, 'embedded: endpoint and embedded are both set'],
    [{ ignore_tags: ['a*b', 'ci/*'] }, 'ignore_tags: "a*b" is not the key of a tag of others'],
    [{ default_tags: { 'gantry/stack': 'x' } }, 'default_tags,gantry/stack: the tag "gantry/stack" belongs to Gantry'],
    [{ max_risk: 'much' }, 'max_risk: "much" is not a class of risk'],
    [{ max_concurrency: 0 }, 'max_concurrency: 0 is not a valid number of requests'],
    [{ max_concurrency: 1001 }, 'max_concurrency: 1001 is not a valid number of requests'],
    [{ max_concurrency: 1.5 }, 'max_concurrency: 1.5 is not a valid number of requests'],
    [{ max_concurrency: 2n ** 64n }, 'max_concurrency: 18446744073709551616 is not a valid number of requests'],
  ])('are refused in a block with %o', (block, problem) => {
    expect(blockProblems(block).map(({ summary, path }) => `${path}: ${summary}`)).toEqual([problem]);
  });

  it.each([1, 1000])('accept a risk class, and %d concurrent requests', async (most) => {
    const block = { max_risk: 'data-loss', max_concurrency: most };
    expect(blockProblems(block)).toEqual([]);
    expect(await of(block, environment)).toMatchObject({ maxRisk: 'data-loss', maxConcurrency: most });
    expect(await of({}, environment)).toMatchObject({ maxConcurrency: undefined, takesOver: false });
    expect(await of({ take_over: true }, environment)).toMatchObject({ takesOver: true });
  });
});

describe('the owner tag of created resources', () => {
  const owner = (cwd: string, environment: Record<string, string> = {}) => stateOwner({ cwd, environment });

  it('identifies the state: the folder, or the backend, and the workspace', async () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    for (const each of [one, two]) mkdirSync(join(each, '.terraform'), { recursive: true });
    const first = await owner(one);
    expect(first).toMatch(/^terraform\.[0-9a-f]{12}$/);
    expect(await owner(one)).toBe(first);
    expect(await owner(two)).not.toBe(first);
    expect(await owner(one, { TF_WORKSPACE: 'test' })).not.toBe(first);

    const backend = (bucket: string) => JSON.stringify({ backend: { type: 's3', config: { bucket }, hash: 1 } });
    for (const each of [one, two]) writeFileSync(join(each, '.terraform/terraform.tfstate'), backend('b'));
    expect(await owner(one)).toBe(await owner(two)); // Two checkouts with one state.
    writeFileSync(join(two, '.terraform/terraform.tfstate'), backend('c'));
    expect(await owner(one)).not.toBe(await owner(two));
    const consul = (address: string) =>
      JSON.stringify({ backend: { type: 'consul', config: { address, path: 'shop', lock: null } } });
    writeFileSync(join(one, '.terraform/terraform.tfstate'), consul('a:8500'));
    writeFileSync(join(two, '.terraform/terraform.tfstate'), consul('b:8500'));
    expect(await owner(one)).not.toBe(await owner(two)); // Two servers.
    writeFileSync(join(two, '.terraform/environment'), 'test');
    expect(await owner(two)).not.toBe(await owner(two, { TF_WORKSPACE: 'default' }));
  });

  it('identifies the file that a local backend names, whatever folder uses it', async () => {
    const folders = ['local-one', 'local-two'].map((name) => join(folder, name));
    const [one = '', two = ''] = folders;
    for (const each of folders) mkdirSync(join(each, '.terraform'), { recursive: true });
    const local = (each: string, config: Record<string, string | null>) =>
      writeFileSync(join(each, '.terraform/terraform.tfstate'), JSON.stringify({ backend: { type: 'local', config } }));
    const usual = await owner(one);
    local(one, { path: null, workspace_dir: null });
    expect(await owner(one)).toBe(usual);
    local(one, { path: '../shared.tfstate' });
    local(two, { path: join(folder, 'shared.tfstate') });
    expect(await owner(one)).toBe(await owner(two));
    expect(await owner(one)).not.toBe(usual);
    local(two, { path: '../other.tfstate' }); // Two states in one folder.
    expect(await owner(one)).not.toBe(await owner(two));
    const test = { TF_WORKSPACE: 'test' };
    expect(await owner(one, test)).not.toBe(await owner(two, test));
    for (const each of folders) local(each, { workspace_dir: join(folder, 'workspaces') });
    expect(await owner(one, test)).toBe(await owner(two, test));
  });
});
