import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type GitHubStandIn, startGitHub } from './standIn/gitHub.ts';
import { type GitLabStandIn, startGitLab } from './standIn/gitLab.ts';

const cwd = temporaryFolder('ci-comment');
const report = join(cwd, 'report.md');
const marker = '<!-- gantry shop prod -->';
const sha = 'a'.repeat(40);

const write = (text: string) => writeFileSync(report, text);
const comment = (env: Readonly<Record<string, string>>, ...more: string[]) =>
  inProcess(undefined, ['ci', 'comment', report, ...more], { cwd, env });

const viewer = { status: 200, json: { data: { viewer: { login: 'github-actions[bot]' } } } };

describe('on GitHub', () => {
  let forge: GitHubStandIn;
  beforeAll(async () => {
    forge = await startGitHub();
  });
  afterAll(() => forge.close());
  beforeEach(() => {
    forge.comments.length = 0;
  });

  test('a second report replaces the first comment, and an equal one writes nothing', async () => {
    const env = forge.variables('refs/pull/12/merge', sha);
    write(`${marker}\n1 to create\n`);
    const first = await comment(env);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe('created  comment on 12: https://github.example/acme/shop/pull/12#issuecomment-1000\n');
    write(`${marker}\n2 to create\n`);
    expect((await comment(env)).stdout).toMatch(/^replaced /);
    expect((await comment(env)).stdout).toMatch(/^unchanged /);
    expect(forge.comments.map(({ pull, body }) => [pull, body])).toEqual([[12, `${marker}\n2 to create\n`]]);
    expect(forge.calls.filter((call) => !/^GET|graphql$/.test(call))).toEqual([
      'POST /repos/acme/shop/issues/12/comments',
      'PATCH /repos/acme/shop/issues/comments/1000',
    ]);
    expect(forge.faults).toEqual([]);
  });

  test('neither the comment of another stack nor that of a user with the same marker is replaced', async () => {
    const person = { login: 'mallory', type: 'User' } as const;
    forge.comments.push({ id: 1, pull: 12, user: person, body: `${marker}\nall is well` });
    const bot = { login: 'github-actions[bot]', type: 'Bot' } as const;
    forge.comments.push({ id: 2, pull: 12, user: bot, body: '<!-- gantry shop dev -->\n' });
    write(`${marker}\nnew\n`);
    expect((await comment(forge.variables('refs/pull/12/merge', sha))).stdout).toMatch(/^created /);
    expect(forge.comments.map(({ body }) => body)).toEqual([
      `${marker}\nall is well`,
      '<!-- gantry shop dev -->\n',
      `${marker}\nnew\n`,
    ]);
  });

  test('the comment of another bot with the same marker is kept, and ours is replaced', async () => {
    const [robot, ours] = [
      { login: 'helper[bot]', type: 'Bot' } as const,
      { login: 'github-actions[bot]', type: 'Bot' } as const,
    ];
    forge.comments.push({ id: 1, pull: 12, user: robot, body: `${marker}\nquoted` });
    forge.comments.push({ id: 2, pull: 12, user: ours, body: `${marker}\nold` });
    write(`${marker}\nnew\n`);
    expect((await comment(forge.variables('refs/pull/12/merge', sha))).stdout).toMatch(/^replaced /);
    expect(forge.comments.map(({ body }) => body)).toEqual([`${marker}\nquoted`, `${marker}\nnew\n`]);
  });

  test("with a user's token, the comment of that user is replaced", async () => {
    const person = { login: 'alice', type: 'User' } as const;
    forge.comments.push({ id: 1, pull: 12, user: person, body: `${marker}\nold` });
    forge.fail({ status: 200, json: { data: { viewer: { login: 'alice' } } } });
    write(`${marker}\nnew\n`);
    expect((await comment(forge.variables('refs/pull/12/merge', sha))).stdout).toMatch(/^replaced /);
  });

  test('a rate-limited call waits as GitHub demands, and never writes a second comment', async () => {
    const ours = { login: 'github-actions[bot]', type: 'Bot' } as const;
    forge.comments.push({ id: 1, pull: 12, user: ours, body: `${marker}\nold` });
    write(`${marker}\nnew\n`);
    const env = forge.variables('refs/pull/12/merge', sha);
    const limited = { status: 403, headers: { 'retry-after': '0' }, json: { message: 'API rate limit exceeded' } };
    forge.fail(limited, limited);
    expect((await comment(env)).stdout).toMatch(/^replaced /);
    const usedUp = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '2000003600',
      date: new Date(2_000_000_000_000).toUTCString(),
    };
    forge.fail({ status: 403, headers: usedUp, json: { message: 'API rate limit exceeded' } });
    const calls = forge.calls.length;
    const refused = await comment(env);
    expect(refused.stderr).toContain('error ci.forge: GitHub answered 403 to POST /graphql: API rate limit exceeded');
    expect(refused.stderr).toContain('The token has used up its requests for now. Run the job again later.');
    expect(forge.calls.slice(calls)).toEqual(['POST /graphql']);
    expect(forge.comments).toHaveLength(1);
  });

  test('if the forge does not name the account of the token, nothing is written', async () => {
    write(`${marker}\n`);
    forge.fail({ status: 200, json: { data: { viewer: null } } });
    const refused = await comment(forge.variables('refs/pull/12/merge', sha));
    expect(refused.stderr).toContain('error ci.forge: GitHub, POST /graphql: the reply does not name the account');
    expect(forge.comments).toEqual([]);
  });

  test('its comment is found among hundreds', async () => {
    const bot = { login: 'github-actions[bot]', type: 'Bot' } as const;
    for (let id = 1; id <= 250; id += 1) forge.comments.push({ id, pull: 12, user: bot, body: `other ${id}` });
    forge.comments.push({ id: 999, pull: 12, user: bot, body: `${marker}\nold` });
    write(`${marker}\nnew\n`);
    expect((await comment(forge.variables('refs/pull/12/merge', sha))).stdout).toMatch(/^replaced /);
    expect(forge.comments).toHaveLength(251);
    expect(forge.comments.at(-1)?.body).toBe(`${marker}\nnew\n`);
  });

  test('--change names the pull request for a job outside of one', async () => {
    write(`${marker}\n`);
    const env = forge.variables('refs/heads/main', sha);
    const without = await comment(env);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('error ci.change: GITHUB_REF is "refs/heads/main", which is not a pull request');
    expect((await comment(env, '--change', '7')).stdout).toMatch(/^created {2}comment on 7/);
    expect((await comment(env, '--change', '../7')).code).toBe(64);
  });

  test('-o json describes the comment', async () => {
    write(`${marker}\n`);
    const { stdout } = await comment(forge.variables('refs/pull/3/merge', sha), '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({
      forge: 'GitHub',
      change: '3',
      action: 'created',
      comment: '1000',
      url: 'https://github.example/acme/shop/pull/3#issuecomment-1000',
    });
  });

  test('a busy forge is retried, and a refusal names the permission', async () => {
    write(`${marker}\n`);
    const env = forge.variables('refs/pull/12/merge', sha);
    forge.fail({ status: 502, headers: { 'retry-after': '0' } }, { status: 429, headers: { 'retry-after': '0' } });
    expect((await comment(env)).code).toBe(0);
    forge.fail(viewer, { status: 403, json: { message: 'Forbidden' } });
    const refused = await comment(env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'error ci.forge: GitHub answered 403 to GET /repos/acme/shop/issues/12/comments?per_page=100&page=1: Forbidden',
    );
    expect(refused.stderr).toContain('pull-requests: write');
  });

  test('an HTML page of a proxy is not accepted as a reply', async () => {
    write(`${marker}\n`);
    forge.fail({
      status: 200,
      bytes: Buffer.from('<html>Please log in</html>'),
      headers: { 'content-type': 'text/html' },
    });
    const refused = await comment(forge.variables('refs/pull/12/merge', sha));
    expect(refused.stderr).toContain('error ci.forge: GitHub, POST /graphql: the reply is not JSON');
    expect(refused.stderr).not.toContain('log in');
  });

  test('the token is never shown', async () => {
    write(`${marker}\n`);
    const env = { ...forge.variables('refs/pull/12/merge', sha), GITHUB_TOKEN: 'ghs_canary' };
    const refused = await comment(env);
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).not.toContain('canary');
  });
});

describe('on GitLab', () => {
  let forge: GitLabStandIn;
  beforeAll(async () => {
    forge = await startGitLab();
  });
  afterAll(() => forge.close());

  test('its own note is replaced among any number of notes', async () => {
    for (let id = 1; id <= 130; id += 1) forge.notes.push({ id, iid: 4, author: 5, body: `${marker}\nnot ours` });
    const env = forge.variables(sha, 4);
    write(`${marker}\n1 to create\n`);
    expect((await comment(env)).stdout).toBe('created  comment on 4\n');
    write(`${marker}\n2 to create\n`);
    expect((await comment(env)).stdout).toBe('replaced  comment on 4\n');
    expect((await comment(env)).stdout).toBe('unchanged  comment on 4\n');
    expect(forge.notes).toHaveLength(131);
    expect(forge.notes.at(-1)?.body).toBe(`${marker}\n2 to create\n`);
    expect(forge.faults).toEqual([]);
  });

  test('outside of a merge request nothing is written', async () => {
    const calls = forge.calls.length;
    const refused = await comment(forge.variables(sha));
    expect(refused.stderr).toContain('error ci.change: CI_MERGE_REQUEST_IID is not set');
    expect(forge.calls).toHaveLength(calls);
  });
});

test.each([
  [{}, 'error ci.environment: this is not a job of GitHub Actions or GitLab CI'],
  [{ GITHUB_ACTIONS: 'true' }, 'error ci.environment: GITHUB_REPOSITORY is not set'],
  [
    { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'a/b', GITHUB_API_URL: 'http://127.0.0.1:9' },
    'error ci.environment: GITHUB_TOKEN is not set',
  ],
  [{ GITLAB_CI: 'true' }, 'error ci.environment: CI_API_V4_URL is not set'],
  [{ GITLAB_CI: 'true', CI_API_V4_URL: 'http://127.0.0.1:9' }, 'error ci.environment: GITLAB_TOKEN is not set'],
])('a missing variable of the job is named: %j', async (env, message) => {
  write(`${marker}\n`);
  const refused = await comment(env);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(message);
});

test('a file that is no report is refused before any request', async () => {
  const forge = await startGitHub();
  try {
    const env = forge.variables('refs/pull/12/merge', sha);
    write('# My own text\n');
    expect((await comment(env)).stderr).toContain('error ci.comment: the text does not begin with the marker');
    const missing = await inProcess(undefined, ['ci', 'comment', 'nowhere.md'], { cwd, env });
    expect(missing.stderr).toContain('error file.read: nowhere.md: ');
    expect(forge.calls).toEqual([]);
  } finally {
    await forge.close();
  }
});
