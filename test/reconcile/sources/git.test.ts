import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { parseGitAddress } from '../../../src/reconcile/sources/gitAddress.ts';
import { GitRepositories, gitBounds, type WantedCommit } from '../../../src/reconcile/sources/gitRepositories.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { Repository } from './repository.ts';

const parent = temporaryFolder('git');
const state = () => mkdtempSync(join(parent, 'state-'));

function wanted(url: string, more: Partial<WantedCommit> = {}): WantedCommit {
  const address = parseGitAddress(url);
  if ('why' in address) throw new Error(address.why);
  return { address, credential: undefined, ref: 'refs/heads/main', signers: undefined, ...more };
}

function repositories(folder = state(), bounds = {}, environment = process.env): GitRepositories {
  return new GitRepositories({ folder, environment, bounds: { ...gitBounds, ...bounds } });
}

const text = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

test('the files of a branch come with its commit, a push brings the next, and files in use stay', async () => {
  const repository = new Repository(parent);
  const first = repository.commit({ 'shop/web.yaml': 'one' });
  const all = repositories();
  const before = await all.checkout(wanted(repository.folder));
  expect([before.commit, text(before.folder, 'shop/web.yaml')]).toEqual([first, 'one']);
  expect(existsSync(join(before.folder, '.git'))).toBe(false);

  const second = repository.commit({ 'shop/web.yaml': 'two' });
  const after = await all.checkout(wanted(repository.folder));
  expect([after.commit, text(after.folder, 'shop/web.yaml')]).toEqual([second, 'two']);
  expect(text(before.folder, 'shop/web.yaml')).toBe('one');

  await before[Symbol.asyncDispose]();
  repository.commit({ 'shop/web.yaml': 'three' });
  await all.checkout(wanted(repository.folder));
  expect(existsSync(before.folder)).toBe(false);
  expect(existsSync(after.folder)).toBe(true);
});

test('a tag is fetched, and the default branch if none is named', async () => {
  const repository = new Repository(parent);
  const tagged = repository.commit({ a: '1' });
  repository.git('tag', '-a', 'v1', '-m', 'Release');
  const latest = repository.commit({ a: '2' });
  const all = repositories();
  expect((await all.checkout(wanted(repository.folder, { ref: 'refs/tags/v1' }))).commit).toBe(tagged);
  expect((await all.checkout(wanted(repository.folder, { ref: 'HEAD' }))).commit).toBe(latest);
});

test('a force-pushed branch is followed', async () => {
  const repository = new Repository(parent);
  repository.commit({ a: '1' });
  repository.commit({ a: '2' });
  const all = repositories();
  await all.checkout(wanted(repository.folder));
  repository.git('reset', '--quiet', '--hard', 'HEAD~1');
  const forced = repository.commit({ a: '3' });
  const found = await all.checkout(wanted(repository.folder));
  expect([found.commit, text(found.folder, 'a')]).toEqual([forced, '3']);
});

test('a deleted branch is an error, and other branches still work', async () => {
  const repository = new Repository(parent);
  const commit = repository.commit({ a: '1' });
  repository.git('branch', 'old');
  const all = repositories();
  const old = wanted(repository.folder, { ref: 'refs/heads/old' });
  await all.checkout(old);
  repository.git('branch', '-D', 'old');
  await expect(all.checkout(old)).rejects.toMatchObject({
    code: 'reconcile.git-ref',
    message: `${repository.folder}: there is no branch "old"`,
  });
  expect((await all.checkout(wanted(repository.folder))).commit).toBe(commit);
});

test('simultaneous callers share a fetch, and a caller during a fetch sees what was pushed before its call', async () => {
  const repository = new Repository(parent);
  const first = repository.commit({ a: '1' });
  const all = repositories();
  const asked = Array.from({ length: 20 }, () => all.checkout(wanted(repository.folder)));
  const second = repository.commit({ a: '2' });
  const later = all.checkout(wanted(repository.folder));
  const commits = (await Promise.all(asked)).map(({ commit }) => commit);
  expect([first, second]).toContain(commits[0]);
  expect((await later).commit).toBe(second);
});

test('a branch name may contain characters that are special in a shell', async () => {
  const repository = new Repository(parent);
  const commit = repository.commit({ a: '1' });
  const marker = join(parent, 'ran');
  const name = `$(touch\${IFS}${marker.replaceAll('/', '')})\`id\`;|&'"-x`;
  repository.git('branch', name);
  const found = await repositories().checkout(wanted(repository.folder, { ref: `refs/heads/${name}` }));
  expect(found.commit).toBe(commit);
});

test('hooks and filters of a repository, of the machine and of the user do not run', async () => {
  const repository = new Repository(parent);
  const marker = join(parent, 'hook-ran');
  const home = mkdtempSync(join(parent, 'home-'));
  const hooks = join(home, 'hooks');
  mkdirSync(hooks);
  for (const name of ['post-checkout', 'post-merge', 'reference-transaction', 'post-index-change', 'post-update']) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  }
  const config = ['[core]', `hooksPath = ${hooks}`, '[filter "evil"]', `smudge = touch ${marker}; cat`];
  writeFileSync(join(home, '.gitconfig'), [...config, `[url "/nowhere"]`, `insteadOf = ${parent}`].join('\n'));
  repository.commit({ '.gitattributes': '* filter=evil\n', a: '1' });
  const all = repositories(state(), {}, { ...process.env, HOME: home, XDG_CONFIG_HOME: home });
  const found = await all.checkout(wanted(repository.folder));
  expect(text(found.folder, 'a')).toBe('1');
  expect(existsSync(marker)).toBe(false);
});

test('submodules are not fetched', async () => {
  const inner = new Repository(parent);
  inner.commit({ secret: '1' });
  const repository = new Repository(parent);
  repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', inner.folder, 'inner');
  repository.commit({ a: '1' });
  const found = await repositories().checkout(wanted(repository.folder));
  expect(readdirSync(join(found.folder, 'inner'))).toEqual([]);
});

test.each([
  ['absolute', 'link', '/etc'],
  ['up', 'a/b/link', '../../..'],
  ['through another link', 'a/b/link', 'top/..'],
])('a link that leads out of the repository is refused: %s', async (_, path, target) => {
  const repository = new Repository(parent);
  repository.commit({ 'a/b/file': '1' });
  symlinkSync('../..', join(repository.folder, 'a/b/top'));
  symlinkSync(target, join(repository.folder, path));
  repository.commit({});
  const folder = state();
  await expect(repositories(folder).checkout(wanted(repository.folder))).rejects.toMatchObject({
    code: 'reconcile.git-link',
    message: `${repository.folder}: the link "${path}" leads out of the repository`,
  });
  const [copy = ''] = readdirSync(folder);
  expect(readdirSync(join(folder, copy, 'files'))).toEqual([]);
});

test('links inside the repository are kept', async () => {
  const repository = new Repository(parent);
  repository.commit({ 'shared/a': '1', 'team/b': '2' });
  symlinkSync('../shared', join(repository.folder, 'team', 'shared'));
  repository.commit({});
  const found = await repositories().checkout(wanted(repository.folder));
  expect(text(found.folder, 'team/shared/a')).toBe('1');
});

test('a repository with too many files, or files that unpack to too much, is refused', async () => {
  const repository = new Repository(parent);
  repository.commit(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, ''])));
  await expect(repositories(state(), { files: 20 }).checkout(wanted(repository.folder))).rejects.toMatchObject({
    code: 'reconcile.git-bounds',
    message: `${repository.folder}: a commit has more than 20 files`,
  });
  repository.commit({ zeros: '0'.repeat(30 * 2 ** 20) });
  await expect(repositories(state(), { bytes: 2 ** 24 }).checkout(wanted(repository.folder))).rejects.toMatchObject({
    code: 'reconcile.git-bounds',
    message: `${repository.folder}: its files have 30 MiB; at most 16 MiB are fetched`,
  });
});

test('a fetch that grows too large is stopped, and the copy stays as it was', async () => {
  const repository = new Repository(parent);
  repository.commit({ a: '1' });
  const all = repositories(state(), { packedBytes: 2 ** 20 });
  await all.checkout(wanted(repository.folder));
  writeFileSync(join(repository.folder, 'noise'), randomBytes(8 * 2 ** 20));
  repository.commit({});
  await expect(all.checkout(wanted(repository.folder))).rejects.toMatchObject({
    code: 'reconcile.git-bounds',
    message: `${repository.folder}: more than 1 MiB would have to be fetched`,
  });
});

test('a host that stops answering is given up after the timeout', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}/acme/infra`;
  await expect(repositories(state(), { fetchMs: 300 }).checkout(wanted(url))).rejects.toMatchObject({
    code: 'reconcile.git-bounds',
    message: expect.stringContaining('git took more than'),
  });
});

test('a credential is sent only to its host, appears in no command line or message, and follows no redirect', async () => {
  const asked: { readonly url: string | undefined; readonly authorization: string | undefined }[] = [];
  const token = 'token-which-is-secret-1234';
  const server = createServer((request, response) => {
    asked.push({ url: request.url, authorization: request.headers.authorization });
    if (request.url?.startsWith('/moved')) response.writeHead(302, { location: '/elsewhere' }).end();
    else response.writeHead(403, { 'content-type': 'text/plain' }).end(`no ${request.headers.authorization}`);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const environment = { ...process.env, GANTRY_TOKEN: 'of-the-worker' };
  const all = repositories(state(), {}, environment);
  const credential = { token };
  const refused = await all
    .checkout(wanted(`http://127.0.0.1:${port}/acme/infra`, { credential }))
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'reconcile.git-access' });
  expect(JSON.stringify(refused) + String(refused)).not.toContain(token);
  expect(String(refused)).not.toContain(Buffer.from(`git:${token}`).toString('base64'));
  const basic = `Basic ${Buffer.from(`git:${token}`).toString('base64')}`;
  expect(asked[0]?.authorization).toBe(basic);
  asked.length = 0;
  await expect(all.checkout(wanted(`http://127.0.0.1:${port}/moved`, { credential }))).rejects.toMatchObject({
    code: 'reconcile.git-access',
    message: expect.stringContaining('redirects'),
  });
  expect(asked.map(({ url }) => url)).not.toContain('/elsewhere');
});

test('a lock file of a process killed during a fetch does not block the next fetch', async () => {
  const repository = new Repository(parent);
  repository.commit({ a: '1' });
  const folder = state();
  await repositories(folder).checkout(wanted(repository.folder));
  const [name = ''] = readdirSync(folder);
  const bare = join(folder, name, 'copy.git');
  for (const lock of ['shallow.lock', 'config.lock', 'HEAD.lock', 'packed-refs.lock', 'objects/pack/tmp_pack_aBcDeF']) {
    writeFileSync(join(bare, lock), 'half');
  }
  mkdirSync(join(folder, name, 'files', '.new-half'));
  const second = repository.commit({ a: '2' });
  const found = await repositories(folder).checkout(wanted(repository.folder));
  expect(found.commit).toBe(second);
  expect(readdirSync(join(folder, name, 'files'))).toEqual([second]);

  // The copy itself is damaged.
  for (const file of readdirSync(join(bare, 'objects/pack'))) {
    execFileSync('sh', ['-c', `chmod u+w "$0" && : > "$0"`, join(bare, 'objects/pack', file)]);
  }
  const third = repository.commit({ a: '3' });
  expect((await repositories(folder).checkout(wanted(repository.folder))).commit).toBe(third);
});

test('after a process is killed during a fetch, the next one completes the fetch', async () => {
  const repository = new Repository(parent);
  repository.commit({ a: '1' });
  const folder = state();
  const program = join(parent, 'fetch.ts');
  const source = new URL('../../../src/reconcile/sources/', import.meta.url).href;
  writeFileSync(
    program,
    `import { GitRepositories } from '${source}gitRepositories.ts';
     import { parseGitAddress } from '${source}gitAddress.ts';
     const all = new GitRepositories({ folder: process.argv[2], environment: process.env });
     process.stdout.write('begins');
     for (;;) await all.checkout({ address: parseGitAddress(process.argv[3]), ref: 'refs/heads/main' });`,
  );
  for (let round = 0; round < 4; round += 1) {
    const child = spawn(process.execPath, [program, folder, repository.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await expect.poll(() => readdirSync(folder)).toHaveLength(1);
    await sleep(round * 70);
    child.kill('SIGKILL');
    await once(child, 'close');
    repository.commit({ a: `round ${round}` });
  }
  expect(readdirSync(folder)).toHaveLength(1);
  const last = repository.commit({ a: 'last' });
  const found = await repositories(folder).checkout(wanted(repository.folder));
  expect([found.commit, text(found.folder, 'a')]).toEqual([last, 'last']);
});

test('if signatures are required, only a commit signed by a known key is used', async () => {
  const keys = mkdtempSync(join(parent, 'keys-'));
  for (const name of ['known', 'other']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(keys, name)]);
  }
  const signers = join(keys, 'known.pub');
  const repository = new Repository(parent);
  const unsigned = repository.commit({ a: '1' });
  const all = repositories();
  const asked = wanted(repository.folder, { signers });
  await expect(all.checkout(asked)).rejects.toMatchObject({
    code: 'reconcile.git-signature',
    message: `${repository.folder}: commit ${unsigned.slice(0, 12)}: it is not signed`,
  });
  const signed = repository.commit({ a: '2' }, join(keys, 'known'));
  expect((await all.checkout(asked)).commit).toBe(signed);
  repository.commit({ a: '3' }, join(keys, 'other'));
  await expect(all.checkout(asked)).rejects.toMatchObject({
    message: expect.stringContaining('it is signed by an unknown key, SHA256:'),
  });

  // The signature of one commit on the content of another.
  const raw = repository
    .git('cat-file', 'commit', signed)
    .replace(/^tree .*/, `tree ${repository.git('rev-parse', 'HEAD^{tree}')}`);
  writeFileSync(join(keys, 'forged'), `${raw}\n`);
  const forged = repository.git('hash-object', '-t', 'commit', '-w', join(keys, 'forged'));
  repository.git('update-ref', 'refs/heads/main', forged);
  await expect(all.checkout(asked)).rejects.toMatchObject({
    message: expect.stringContaining('its signature does not match it'),
  });
});

test('a missing repository, and one without a commit, are errors', async () => {
  await expect(repositories().checkout(wanted(join(parent, 'nothing')))).rejects.toMatchObject({
    code: 'reconcile.git-access',
  });
  await expect(repositories().checkout(wanted(new Repository(parent).folder))).rejects.toMatchObject({
    code: 'reconcile.git-ref',
  });
});
