import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';
import { openSources } from '../../../src/reconcile/sources/openSources.ts';
import { reconcileSchema } from '../../../src/reconcile/sources/reconcileForm.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';
import { writeBelow } from '../../harness/writeBelow.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { Repository } from './repository.ts';

const parent = temporaryFolder('config');
const { signal } = new AbortController();

interface Folder {
  readonly folder: string;
  read(): ReturnType<ReturnType<ReturnType<typeof openSources>['readConfig']>>;
}

function folderWith(
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): Folder {
  const folder = mkdtempSync(join(parent, 'fleet-'));
  for (const [path, content] of Object.entries(files)) writeBelow(folder, path, content);
  const stateFolder = mkdtempSync(join(parent, 'state-'));
  const sources = openSources({ stateFolder, cwd: folder, environment: { ...process.env, ...environment } });
  const readConfig = sources.readConfig('reconcile.yaml');
  return { folder, read: () => readConfig(signal) };
}

const refusal = (text: string, more: Readonly<Record<string, string>> = {}) =>
  folderWith({ 'reconcile.yaml': text, ...more })
    .read()
    .then(
      () => 'nothing is wrong',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

const whole = `
defaults: {interval: 5m}
repositories:
  - {for: github.com/acme, token: {env: GITHUB_TOKEN}, user: bot}
  - for: github.com/acme/infra
    key-file: keys/deploy
    known-hosts: keys/hosts
    signers: keys/committers
    statuses: {forge: github, token: {env: STATUS_TOKEN}}
webhooks: {github: {env: HOOK}, standard: [{file: hook}, {env: OLD_HOOK}]}
notify:
  chat: {to: {env: CHAT_HOOK}, secret: {file: keys/notify}}
  oncall: {to: {file: keys/oncall}, events: [failed, recovered]}
requests-per-second: 20
keep-runs: 7d
sign-in:
  issuer: https://login.example.com/realms/acme
  client-id: gantry
  client-secret: {env: SIGN_IN_SECRET}
  url: https://fleet.example.com/
  roles: {approve: {groups: [platform], email: [ann@example.com]}, read: all}
  domains: [Example.com]
  name: nickname
  scopes: [email, groups]
  session: 1h
stacks:
  network: {folder: stacks/network, mode: auto, notify: [oncall], permits: {max-deletes: 2, allow-unseen: true}}
  shop:
    git: {url: git@github.com:acme/infra.git, branch: main, path: shop/}
    env: prod
    mode: propose
    jitter: 1s
    after: [network]
    window: {days: [mon], from: "09:00", to: "17:00", timezone: Europe/Berlin}
    paused: {reason: "the move", until: 2027-01-31T08:00:00Z}
    endpoint: https://platform.example.com
    token-file: keys/platform
  tagged: {git: {url: https://github.com/acme/other, tag: v1}}
`;

test('one folder can have several stacks, environments and orgs', async () => {
  const { read } = folderWith({
    'reconcile.yaml':
      'stacks: {a: {folder: x}, b: {folder: x, stack: b}, c: {folder: x, env: prod}, d: {folder: x, org: acme}}',
  });
  expect((await read()).stacks.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
});

test('every setting is read, and omitted ones get their defaults', async () => {
  const { folder, read } = folderWith({ 'reconcile.yaml': whole });
  expect(await read()).toEqual({
    origin: join(folder, 'reconcile.yaml'),
    webhooks: {
      github: [{ env: 'HOOK' }],
      gitlab: [],
      standard: [{ file: join(folder, 'hook') }, { env: 'OLD_HOOK' }],
    },
    notify: [
      {
        name: 'chat',
        to: { env: 'CHAT_HOOK' },
        secret: { file: join(folder, 'keys/notify') },
        events: ['waiting', 'applied', 'failed', 'recovered', 'drift', 'superseded', 'resumed'],
      },
      { name: 'oncall', to: { file: join(folder, 'keys/oncall') }, events: ['failed', 'recovered'] },
    ],
    secretVariables: ['CHAT_HOOK', 'GITHUB_TOKEN', 'HOOK', 'OLD_HOOK', 'SIGN_IN_SECRET', 'STATUS_TOKEN'],
    url: 'https://fleet.example.com',
    signIn: {
      ...{ issuer: 'https://login.example.com/realms/acme', clientId: 'gantry', url: 'https://fleet.example.com' },
      ...{ clientSecret: { env: 'SIGN_IN_SECRET' }, name: 'nickname', domains: ['example.com'], sessionMs: 3_600_000 },
      scopes: ['openid', 'email', 'groups'],
      roles: {
        approve: new Map([
          ['groups', ['platform']],
          ['email', ['ann@example.com']],
        ]),
        read: 'all',
      },
    },
    requestsPerSecond: 20,
    keepRunsMs: 7 * 24 * 3_600_000,
    stacks: [
      {
        name: 'network',
        source: { kind: 'folder', path: join(folder, 'stacks/network') },
        mode: 'auto',
        intervalMs: 300_000,
        jitterMs: 30_000,
        after: [],
        notify: ['oncall'],
        permits: { maxDeletes: 2, allowUnseen: true },
      },
      {
        name: 'shop',
        source: {
          kind: 'git',
          url: 'git@github.com:acme/infra.git',
          repository: 'github.com/acme/infra',
          ref: 'refs/heads/main',
          path: 'shop',
          credential: { keyFile: join(folder, 'keys/deploy'), knownHosts: join(folder, 'keys/hosts') },
          signers: join(folder, 'keys/committers'),
          statuses: { forge: 'github', api: 'https://api.github.com', token: { env: 'STATUS_TOKEN' } },
        },
        mode: 'propose',
        intervalMs: 300_000,
        jitterMs: 1_000,
        after: ['network'],
        windows: [{ days: ['mon'], from: '09:00', to: '17:00', timezone: 'Europe/Berlin' }],
        paused: { reason: 'the move', at: 'reconcile.yaml: stacks.shop.paused', untilMs: Date.UTC(2027, 0, 31, 8) },
        env: 'prod',
        endpoint: 'https://platform.example.com',
        tokenFile: join(folder, 'keys/platform'),
      },
      {
        name: 'tagged',
        source: {
          kind: 'git',
          url: 'https://github.com/acme/other',
          repository: 'github.com/acme/other',
          ref: 'refs/tags/v1',
          credential: { token: { env: 'GITHUB_TOKEN' }, user: 'bot' },
        },
        mode: 'detect',
        intervalMs: 300_000,
        jitterMs: 30_000,
        after: [],
      },
    ],
  });
});

test('the published schema accepts what the reader accepts, and refuses unknown settings', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(reconcileSchema);
  expect([validate(load(whole)), validate.errors]).toEqual([true, null]);
  expect(validate({ stacks: { a: { folder: 'a', moed: 'auto' } } })).toBe(false);
  expect(validate({ stack: {} })).toBe(false);
});

test.each(
  // biome-ignore format: a row is a case
  [
    ['stacks: {a: {folder: a, mode: atuo}}',
      'reconcile.yaml:1:25: stacks.a.mode must be detect, propose or auto. Did you mean "auto"?'],
    ['stacks: {a: {folder: a, intervall: 5m}}',
      'reconcile.yaml:1:25: stacks.a has no setting "intervall". Did you mean "interval"?'],
    ['stacks: {a: {folder: a, interval: 5}}',
      'stacks.a.interval must be a duration with a unit, such as 30s, 5m or 1h'],
    ['stacks: {a: {folder: a, interval: 10ms}}', 'stacks.a.interval must be at least 1s'],
    ['stacks: {a: {mode: auto}}', 'stacks.a needs either folder or git'],
    ['stacks: {a: {folder: a, git: {url: https://e.com/a}}}', 'stacks.a needs either folder or git'],
    ['stacks: {a: {git: {url: https://u:p@e.com/a}}}', 'stacks.a.git.url must be without a password'],
    ['stacks: {a: {git: {url: "u:p@e.com/a"}}}', 'stacks.a.git.url must be an address such as'],
    ['stacks: {a: {git: {url: "ext::sh -c id"}}}', 'stacks.a.git.url must be an address such as'],
    ['stacks: {a: {git: {url: "--upload-pack=id"}}}', 'stacks.a.git.url must be an address such as'],
    ['stacks: {a: {git: {url: http://e.com/a}}}',
      'stacks.a.git.url must be of https or ssh: code that is fetched without encryption'],
    ['stacks: {a: {git: {url: https://e.com/a, branch: "a:b"}}}', 'stacks.a.git.branch must be a name that git takes'],
    ['stacks: {a: {git: {url: https://e.com/a, branch: a, tag: b}}}', 'stacks.a.git names a branch and a tag'],
    ['stacks: {a: {git: {url: https://e.com/a, path: ../b}}}',
      'stacks.a.git.path must be a path inside of the repository'],
    ['stacks: {"a b": {folder: a}}', 'stacks: this name cannot be the name of a stack'],
    ['stacks: {a: {folder: a, after: [netwrk]}, network: {folder: n}}',
      'reconcile.yaml:1:33: stacks.a.after[0] names no stack: netwrk. Did you mean network?'],
    ['stacks: {a: {folder: a, after: [b]}, b: {folder: b, after: [a]}}', 'stacks.a.after waits in a circle: a → b → a'],
    ['stacks: {a: {folder: x}, b: {folder: ./x, mode: auto}}',
      'reconcile.yaml:1:26: stacks.b is the same stack as a: list it once'],
    ['stacks: {a: {folder: a, window: {from: "09:00", to: "17:00"}}}', 'stacks.a.window needs a timezone'],
    ['stacks: {a: {folder: a, paused: {reason: x, until: tomorrow}}}',
      'stacks.a.paused.until must be a time with its zone'],
    ['stacks: {a: {folder: a, permits: {max-delets: 1}}}',
      'stacks.a.permits has no setting "max-delets". Did you mean "max-deletes"?'],
    ['repositories: [{for: github.com/acme, helper: store, key-file: k}]',
      'repositories[0] has more than one of helper, token and key-file'],
    ['repositories: [{for: github.com/acme, variables: [GANTRY_TOKEN]}]',
      'repositories[0].variables[0] must be the name of a variable that does not begin with GANTRY_'],
    ['webhooks: {github: secret}', 'webhooks.github must be an object such as `{env: NAME}` or `{file: PATH}`'],
    ['notify: {chat: {to: "https://e.com/secret"}}\nstacks: {}',
      'notify.chat.to must be an object such as `{env: NAME}`'],
    ['notify: {chat: {to: {env: A}, events: [fail]}}\nstacks: {}',
      'notify.chat.events[0] must be waiting, applied, failed'],
    ['stacks: {a: {folder: a, notify: [chat]}}', 'stacks.a.notify[0] names a target that is not in notify: chat.'],
    ['notify: {chat: {to: {env: A}}}\ndefaults: {notify: [caht]}\nstacks: {}',
      'defaults.notify[0] names a target that is not in notify: caht. Did you mean chat?'],
    ['follow: {git: {url: https://e.com/a}}\nstacks: {}', 'follow cannot be combined with stacks or patterns'],
    ['{}', 'needs stacks, patterns or follow'],
  ],
)('%s is refused: %s', async (text, message) => {
  expect(await refusal(text)).toContain(message);
});

const signIn = (more: string, roles = 'roles: {read: {groups: [staff]}}') =>
  `stacks: {}\nsign-in: {issuer: https://login.example.com, client-id: gantry, ${roles}, ${more}}`;

// biome-ignore format: a row is a case
test.each([
  ['stacks: {}\nurl: https://fleet.example.com/stacks', 'url must have no path'],
  ['stacks: {a: {git: {url: "git@github.com:acme/../evil/x"}}}', 'stacks.a.git.url must be without "." and ".."'],
  ['stacks: {a: {git: {url: "ssh://git@github.com/acme/..%2fevil/x"}}}',
    'stacks.a.git.url must be without "." and ".."'],
  ['stacks: {a: {git: {url: "https://github.com/acme/../evil/x"}}}', 'stacks.a.git.url must be without "." and ".."'],
  ['stacks: {a: {git: {url: "/srv/git/../x"}}}', 'stacks.a.git.url must be without "." and ".."'],
  ['stacks: {}\nrepositories: [{for: e.com, statuses: {forge: gitea}}]', 'repositories[0].statuses.forge must be'],
  ['stacks: {}\nrepositories: [{for: e.com, statuses: {forge: github}}]', 'repositories[0].statuses.token is missing'],
  ['sign-in: {client-id: gantry}', 'sign-in.issuer is missing'],
  [signIn('client-secret: hunter2'), 'sign-in.client-secret must be an object such as `{env: NAME}` or `{file: PATH}`'],
  [signIn('client-secret:'), 'sign-in.client-secret must be an object'],
  [signIn('issuer: http://login.example.com'),
    'sign-in.issuer must be an address of https, or of http on this machine'],
  [signIn('issuer: https://e.com/.well-known/openid-configuration'), 'sign-in.issuer must be the issuer as it calls'],
  [signIn('url: http://fleet.example.com'), 'sign-in.url must be an address of https, or of http on this machine'],
  [signIn('url: https://fleet.example.com/stacks'), 'sign-in.url must have no path'],
  [signIn('domains: []'), 'sign-in.domains must not be empty'],
  [signIn('domains:'), 'sign-in.domains must be a list such as'],
  [signIn('domains: ["@example.com"]'), 'sign-in.domains[0] must be a domain such as example.com'],
  [signIn('session: 30d'), 'sign-in.session must be from 1m to 7d'],
  [signIn('', 'roles: {}'), 'sign-in.roles gives nobody a role'],
  [signIn('', 'roles: {read: all}'), 'sign-in.roles.read needs domains beside it'],
  [signIn('', 'roles: {approve: all}'), 'sign-in.roles.approve must be an object such as `approve: {groups:'],
  [signIn('', 'roles: {approve: {groups: platform}}'), 'sign-in.roles.approve.groups must be a list of texts'],
  [signIn('', 'roles: {approve: {groups: []}}'), 'sign-in.roles.approve.groups must not be empty'],
])('%s is refused: %s', async (text, message) => {
  const said = await refusal(text.replace(/issuer: https:\/\/login\.example\.com, (?=.*issuer:)/, ''));
  expect(said).toContain(message);
  expect(said).not.toContain('hunter2');
});

const documented = readFileSync(new URL('../../../docs/reconcile-sign-in.md', import.meta.url), 'utf8');
test.each([...documented.matchAll(/```yaml\n(sign-in:[^`]+)```/g)].map(([, text = '']) => text))(
  'the document has an example that is read: %s',
  async (text) => {
    const { read } = folderWith({ 'reconcile.yaml': `stacks: {}\n${text}` });
    expect((await read()).signIn).toMatchObject({ issuer: expect.stringMatching(/^https:/) });
  },
);

test('sign-in settings that are omitted get their defaults', async () => {
  const { read } = folderWith({
    'reconcile.yaml': signIn('issuer: "http://127.0.0.1:5556/dex"').replace('issuer: https://login.example.com, ', ''),
  });
  expect((await read()).signIn).toEqual({
    ...{ issuer: 'http://127.0.0.1:5556/dex', clientId: 'gantry', scopes: ['openid', 'email', 'profile'] },
    roles: { approve: new Map(), read: new Map([['groups', ['staff']]]) },
    sessionMs: 8 * 3_600_000,
  });
});

test.each([
  ['github', 'github.com', '', 'https://api.github.com'],
  ['github', 'git.example.com', '', 'https://git.example.com/api/v3'],
  ['gitlab', 'gitlab.com', '', 'https://gitlab.com/api/v4'],
  ['gitlab', 'git.example.com', 'https://git.example.com:8443/api/v4/', 'https://git.example.com:8443/api/v4'],
])('statuses of %s at %s go to %j: %s', async (forge, host, api, expected) => {
  const statuses = `{forge: ${forge}, token: {env: STATUS_TOKEN}${api === '' ? '' : `, api: "${api}"`}}`;
  const { folder, read } = folderWith({
    'reconcile.yaml': `repositories: [{for: ${host}, statuses: ${statuses}}]
stacks: {shop: {git: {url: https://${host}/Acme/Shop.git}}}`,
  });
  const source = (await read()).stacks[0]?.source;
  if (source?.kind !== 'git' || source.statuses === undefined) throw new Error('it has none');
  const told = { ...source, statuses: source.statuses };
  const sources = (environment: Readonly<Record<string, string>>) =>
    openSources({ stateFolder: join(folder, 'state'), cwd: folder, environment });
  expect(await sources({ STATUS_TOKEN: 'a-token' }).openForge(told)).toEqual({
    ...{ forge, api: expected, token: 'a-token', repository: 'acme/shop' },
  });
  await expect(sources({}).openForge(told)).rejects.toMatchObject({
    code: 'reconcile.secret',
    message: `the token of statuses of ${host}/acme/shop: the variable STATUS_TOKEN is not set`,
  });
});

test('url is also the address for sign-in, unless sign-in has its own', async () => {
  const { read } = folderWith({ 'reconcile.yaml': `url: https://fleet.example.com/\n${signIn('')}` });
  expect(await read()).toMatchObject({
    url: 'https://fleet.example.com',
    signIn: { url: 'https://fleet.example.com' },
  });
});

test('all problems are reported together', async () => {
  const message = await refusal('stacks:\n  a: {folder: a, mode: x}\n  b: {interval: 1}\n');
  expect(message).toMatch(/^3 problems in reconcile\.yaml\n|^2 problems in reconcile\.yaml\n/);
  expect(message).toContain('stacks.a.mode must be detect, propose or auto');
});

test('a pattern finds each folder with gantry.yaml; a named stack overrides its settings', async () => {
  const { folder, read } = folderWith({
    'reconcile.yaml':
      'stacks: {special: {folder: teams/b, mode: auto}}\npatterns: [{folder: "teams/**", interval: 1m}, {folder: "teams/*", env: prod}]',
    'teams/a/gantry.yaml': '',
    'teams/b/gantry.yaml': '',
    'teams/deep/c/gantry.yaml': '',
    'teams/none/other.yaml': '',
    'teams/node_modules/d/gantry.yaml': '',
  });
  const { stacks } = await read();
  expect(
    stacks.map(({ name, mode, env = '', source }) => [name, mode, env, source.kind === 'folder' && source.path]),
  ).toEqual([
    ['special', 'auto', '', join(folder, 'teams/b')],
    ['teams-a', 'detect', '', join(folder, 'teams/a')],
    ['teams-a@prod', 'detect', 'prod', join(folder, 'teams/a')],
    ['teams-b@prod', 'detect', 'prod', join(folder, 'teams/b')],
    ['teams-deep-c', 'detect', '', join(folder, 'teams/deep/c')],
  ]);
});

test('a pattern in a repository finds the folders of its commit', async () => {
  const repository = new Repository(parent);
  repository.commit({ 'teams/a/gantry.yaml': '' });
  const { read } = folderWith({
    'reconcile.yaml': `patterns: [{git: {url: ${repository.folder}, branch: main, path: "teams/*"}, mode: propose}]`,
  });
  expect((await read()).stacks).toMatchObject([
    { name: 'teams-a', mode: 'propose', source: { url: repository.folder, path: 'teams/a', ref: 'refs/heads/main' } },
  ]);
  repository.commit({ 'teams/b/gantry.yaml': '' });
  expect((await read()).stacks.map(({ name }) => name)).toEqual(['teams-a', 'teams-b']);
});

test('a file in a repository is followed, and its folders are folders of the repository', async () => {
  const repository = new Repository(parent);
  repository.commit({
    'fleet/reconcile.yaml': 'stacks: {shop: {folder: ../shop, mode: auto}}\npatterns: [{folder: "teams/*"}]',
    'fleet/teams/a/gantry.yaml': '',
  });
  const { read } = folderWith({
    'reconcile.yaml': `follow: {git: {url: ${repository.folder}, branch: main}, file: fleet/reconcile.yaml}\nwebhooks: {github: {env: HOOK}}`,
  });
  const config = await read();
  expect(config.origin).toMatch(/repository-\w+ refs\/heads\/main .*reconcile\.yaml$/);
  expect(config.followed).toMatchObject({ url: repository.folder, ref: 'refs/heads/main' });
  expect(config.stacks).toMatchObject([
    {
      name: 'shop',
      mode: 'auto',
      source: { kind: 'git', url: repository.folder, path: 'shop', ref: 'refs/heads/main' },
    },
    { name: 'teams-a', source: { kind: 'git', url: repository.folder, path: 'fleet/teams/a' } },
  ]);
  repository.commit({ 'fleet/reconcile.yaml': 'stacks: {shop: {folder: ../shop, mode: detect}}' });
  expect((await read()).stacks).toMatchObject([{ name: 'shop', mode: 'detect' }]);
});

test.each(
  // biome-ignore format: a row is a case
  [
    ['stacks: {a: {folder: a, endpoint: https://evil.example.com}}',
      'stacks.a.endpoint is allowed only in the file that the worker is started with'],
    ['stacks: {a: {folder: a, token-file: /etc/passwd}}',
      'stacks.a.token-file is allowed only in the file that the worker is started with'],
    ['stacks: {a: {folder: /etc}}', 'stacks.a leads out of the repository'],
    ['stacks: {a: {folder: ../..}}', 'stacks.a leads out of the repository'],
    ['patterns: [{folder: "../*"}]', 'patterns[0] leads out of the repository'],
    ['stacks: {a: {git: {url: /srv/git/secret}}}', 'stacks.a.git.url must be of https or ssh'],
    ['repositories: [{for: e.com, helper: "!touch /tmp/ran"}]',
      'repositories is allowed only in the file that the worker is started with'],
    ['webhooks: {github: {env: GANTRY_TOKEN}}', 'webhooks is allowed only in the file that the worker is started with'],
    ['notify: {a: {to: {env: GANTRY_TOKEN}}}', 'notify is allowed only in the file that the worker is started with'],
    ['stacks: {a: {folder: a, notify: [chat]}}', 'stacks.a.notify[0] names a target that is not in notify: chat.'],
    ['url: https://evil.example.com', 'url is allowed only in the file that the worker is started with'],
    [signIn(''), 'sign-in is allowed only in the file that the worker is started with'],
  ],
)('a followed repository cannot set: %s', async (text, message) => {
  const repository = new Repository(parent);
  repository.commit({ 'reconcile.yaml': text });
  const { read } = folderWith({ 'reconcile.yaml': `follow: {git: {url: ${repository.folder}}}` });
  await expect(read()).rejects.toMatchObject({
    code: 'reconcile.file',
    message: expect.stringContaining(`${repository.folder}: reconcile.yaml`),
  });
  await expect(read()).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

const bounded = 'modes: [detect, propose], permits: [max-deletes]';

test.each([
  ['', 'stacks: {a: {folder: a, permits: {allow-data-loss: 1}}}', 'stacks.a.permits.allow-data-loss is not allowed'],
  ['', 'stacks: {a: {folder: a, permits: {max-deletes: 11}}}', 'stacks.a.permits.max-deletes is not allowed'],
  [
    bounded,
    'stacks: {a: {folder: a, mode: auto}}',
    'stacks.a.mode must be one of detect, propose: follow.modes says so',
  ],
  [bounded, 'defaults: {mode: auto}\npatterns: [{folder: "*"}]', 'patterns[0].mode must be one of detect, propose'],
  [bounded, 'stacks: {a: {folder: a, permits: {adopt: true}}}', 'stacks.a.permits.adopt is not allowed'],
])("the worker's own file limits the followed one: {%s} %s", async (bounds, text, message) => {
  const repository = new Repository(parent);
  repository.commit({ 'reconcile.yaml': text, 'a/gantry.yaml': '' });
  const { read } = folderWith({ 'reconcile.yaml': `follow: {git: {url: ${repository.folder}}, ${bounds}}` });
  await expect(read()).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

test('a followed file can make its stacks stricter without permission', async () => {
  const repository = new Repository(parent);
  const permits = '{max-deletes: 2, max-changes: 3, max-risk: downtime, adopt: false, allow-data-loss: 0}';
  repository.commit({ 'reconcile.yaml': `stacks: {a: {folder: a, mode: auto, permits: ${permits}}}` });
  const { read } = folderWith({ 'reconcile.yaml': `follow: {git: {url: ${repository.folder}}, orgs: [acme]}` });
  expect(await read()).toMatchObject({ stacks: [{ name: 'a', mode: 'auto' }], orgs: ['acme'] });
});

test('the stack of a repository is fetched with its commit; a missing path is an error', async () => {
  const repository = new Repository(parent);
  const commit = repository.commit({ 'shop/gantry.yaml': 'stack: shop', file: '' });
  symlinkSync('shop', join(repository.folder, 'other'));
  repository.commit({});
  const folder = mkdtempSync(join(parent, 'fleet-'));
  writeBelow(
    folder,
    'reconcile.yaml',
    ['shop', 'nothing', 'file'].reduce(
      (text, path) => `${text}  ${path}: {git: {url: ${repository.folder}, path: ${path}}}\n`,
      'stacks:\n',
    ),
  );
  const sources = openSources({
    stateFolder: mkdtempSync(join(parent, 'state-')),
    cwd: folder,
    environment: process.env,
  });
  const { stacks } = await sources.readConfig('reconcile.yaml')(signal);
  const fetch = (name: string) => {
    const entry = stacks.find((each) => each.name === name);
    if (entry === undefined) throw new Error(name);
    return sources.fetchStack(entry, signal);
  };
  const fetched = await fetch('shop');
  expect(fetched.folder.endsWith('/shop')).toBe(true);
  expect(fetched.commit).toHaveLength(commit.length);
  await fetched.dispose();
  await expect(fetch('nothing')).rejects.toMatchObject({
    code: 'reconcile.git-path',
    message: expect.stringContaining('nothing: it is not in commit'),
  });
  await expect(fetch('file')).rejects.toMatchObject({
    code: 'reconcile.git-path',
    message: expect.stringContaining('file: it is not a folder'),
  });
});

test('the user of an address, which may be a token, is told to a helper alone', async () => {
  const token = 'ghp_0123456789abcdef';
  const server = createServer((_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end();
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const folder = mkdtempSync(join(parent, 'fleet-'));
  const asked = join(folder, 'asked');
  writeBelow(
    folder,
    'reconcile.yaml',
    `repositories: [{for: 127.0.0.1/acme, helper: '!ask() { cat > ${asked}; }; ask'}]
stacks: {shop: {git: {url: 'http://${token}@127.0.0.1:${port}/acme/shop'}}}`,
  );
  const sources = openSources({ stateFolder: join(folder, 'state'), cwd: folder, environment: process.env });
  const [shop] = (await sources.readConfig('reconcile.yaml')(signal)).stacks;
  if (shop?.source.kind !== 'git') throw new Error('it is a repository');
  expect(shop.source.url).toBe(`http://127.0.0.1:${port}/acme/shop`);
  const error = await sources.fetchStack(shop, signal).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'reconcile.git-access' });
  expect(String(error)).not.toContain(token);
  expect(readFileSync(asked, 'utf8')).toContain(`username=${token}\n`);
});

test('a missing folder and an unset secret are errors that name them', async () => {
  const { read } = folderWith({
    'reconcile.yaml':
      'repositories: [{for: e.com, token: {env: NOT_SET}}]\nstacks: {a: {folder: gone}, b: {git: {url: https://e.com/b}}}',
  });
  const { stacks } = await read();
  const sources = openSources({ stateFolder: mkdtempSync(join(parent, 'state-')), cwd: '/', environment: {} });
  const [a, b] = stacks;
  if (a === undefined || b === undefined) throw new Error('there are two');
  await expect(sources.fetchStack(a, signal)).rejects.toMatchObject({
    code: 'reconcile.folder',
    message: expect.stringMatching(/^stack a: .*gone: there is no such file$/),
  });
  await expect(sources.fetchStack(b, signal)).rejects.toMatchObject({
    code: 'reconcile.secret',
    message: 'the token for https://e.com/b: the variable NOT_SET is not set',
  });
});
