import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Artifact, type GitHubStandIn, startGitHub } from './standIn/gitHub.ts';
import { type GitLabStandIn, startGitLab } from './standIn/gitLab.ts';

const cwd = temporaryFolder('ci-fetch');
const file = join(cwd, 'gantry.plan');
const merge = 'a'.repeat(40);
const head = 'b'.repeat(40);
const older = 'c'.repeat(40);
const result = 'd'.repeat(40);
const base = 'e'.repeat(40);
/** Any content: apply checks it. */
const plan = Buffer.from('{"gantry": "é 💚"}\n');
const other = Buffer.from('another plan');

const fetchPlan = (env: Readonly<Record<string, string>>, ...more: string[]) =>
  inProcess(undefined, ['ci', 'fetch', file, ...more], { cwd, env });

describe('on GitHub', () => {
  let forge: GitHubStandIn;
  beforeAll(async () => {
    forge = await startGitHub();
  });
  afterAll(() => forge.close());
  beforeEach(() => {
    writeFileSync(file, '');
    forge.pulls.splice(0, 9, { number: 12, head, merged: merge });
    forge.artifacts.length = 0;
  });
  afterEach(() => expect(forge.faults).toEqual([]));
  const env = () => forge.variables('refs/heads/main', merge);
  const keep = (files: Artifact['files'], more: Partial<Artifact> = {}) =>
    forge.artifacts.push({ name: 'gantry-plan', head, files, ...more });

  test('saves the plan of the last commit byte by byte in a private file', async () => {
    forge.artifacts.push({ name: 'gantry-plan-prod', head: older, files: { 'gantry.plan': other } });
    forge.artifacts.push({ name: 'gantry-plan-prod', head, files: { 'gantry.plan': other } });
    forge.artifacts.push({ name: 'gantry-plan-prod', head, files: { 'gantry.plan': plan, 'gantry-report.md': other } });
    forge.artifacts.push({ name: 'gantry-plan-dev', head, files: { 'gantry.plan': other } });
    const { code, stdout } = await fetchPlan(env(), '--artifact', 'gantry-plan-prod');
    expect(code).toBe(0);
    expect(stdout).toBe(`fetched  ${file}: the plan of 12, made from bbbbbbbbbbbb\n`);
    expect(readFileSync(file)).toEqual(plan);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      ['a push without a pull request', () => forge.pulls.splice(0),
        'ci.change: commit aaaaaaaaaaaa was not merged into main by'],
      ['an open pull request',
        () => forge.pulls.splice(0, 9, { number: 12, head, merged: merge, isOpen: true }),
        'ci.change: commit aaaaaaaaaaaa was not merged into main by a pull request'],
      ['a merge into another branch', () => forge.pulls.splice(0, 9, { number: 12, head, merged: merge, base: 'dev' }),
        'ci.change: commit aaaaaaaaaaaa was not merged into main by a pull request'],
      ['an archive with another checksum', () => keep({ 'gantry.plan': plan }, { digest: `sha256:${'0'.repeat(64)}` }),
        'ci.kept: the archive of the artifact gantry-plan does not have the checksum that GitHub recorded for it'],
      ['an archive that is larger than any plan', () => keep({ 'gantry.plan': plan }, { size: 65 * 2 ** 20 }),
        'ci.kept: the artifact gantry-plan holds more than 64 MiB'],
      ['a small archive with a large file', () => keep({ 'gantry.plan': new Uint8Array(129 * 2 ** 20) }),
        'ci.kept: the artifact gantry-plan holds more than 128 MiB'],
      ['no artifact', () => {},
        'ci.kept: pull request 12 has no artifact gantry-plan for its last commit bbbbbbbbbbbb'],
      ['only a plan of an older commit',
        () => forge.artifacts.push({ name: 'gantry-plan', head: older, files: { 'gantry.plan': plan } }),
        'ci.kept: pull request 12 has no artifact gantry-plan for its last commit'],
      ['a plan from a fork',
        () => forge.artifacts.push({ name: 'gantry-plan', head, fork: true, files: { 'gantry.plan': plan } }),
        'ci.kept: the artifact gantry-plan of pull request 12 was made in a fork'],
      ['an artifact that has expired',
        () => forge.artifacts.push({ name: 'gantry-plan', head, expired: true, files: { 'gantry.plan': plan } }),
        'ci.kept: the artifact gantry-plan of pull request 12 has expired'],
      ['an artifact without a plan',
        () => forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry-report.md': other } }),
        'ci.kept: the artifact gantry-plan does not contain gantry.plan'],
      ['a plan that is not UTF-8',
        () => forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': Buffer.from([0xff, 0xfe]) } }),
        'ci.kept: gantry.plan in gantry-plan is not UTF-8 text'],
    ],
  )('%s is refused, and the file is unchanged', async (_, arrange, message) => {
    arrange();
    const { code, stderr } = await fetchPlan(env());
    expect(code).toBe(1);
    expect(stderr).toContain(`error ${message}`);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('saves the signatures if they were kept, and deletes older ones next to it', async () => {
    forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': plan, 'gantry.plan.sig': other } });
    expect((await fetchPlan(env())).stdout).toContain(`, with its signatures (${file}.sig)\n`);
    expect(readFileSync(`${file}.sig`)).toEqual(other);
    forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': plan } });
    writeFileSync(file, '');
    expect((await fetchPlan(env())).stdout).not.toContain('signatures');
    expect(existsSync(`${file}.sig`)).toBe(false);
  });

  test('a plan is found among hundreds of artifacts', async () => {
    forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': plan } });
    for (let other = 0; other < 230; other += 1) forge.artifacts.push({ name: 'gantry-plan', head: older, files: {} });
    expect((await fetchPlan(env())).code).toBe(0);
    expect(readFileSync(file)).toEqual(plan);
  });

  test('a redirect of the API is not followed', async () => {
    forge.fail({ status: 301, headers: { location: 'http://127.0.0.1:9/' } });
    expect((await fetchPlan(env())).stderr).toContain('error ci.forge: GitHub answered 301 to GET /repos/');
  });

  const pulls = {
    status: 200,
    json: [
      { number: 12, head: { sha: head }, base: { ref: 'main' }, merge_commit_sha: merge, merged_at: '2026-01-01' },
    ],
  };
  const listed = (run: object, name = 'gantry-plan') => ({
    status: 200,
    json: { artifacts: [{ id: 0, name, created_at: '', workflow_run: { head_sha: head, ...run } }] },
  });

  test('an artifact of an unknown repository, or with another name, is not used', async () => {
    forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': plan } });
    forge.fail(pulls, listed({}));
    expect((await fetchPlan(env())).stderr).toContain(
      'error ci.kept: the artifact gantry-plan of pull request 12 was made in a fork',
    );
    forge.fail(pulls, listed({ repository_id: 1, head_repository_id: 1 }, 'gantry-plan-dev'));
    expect((await fetchPlan(env())).stderr).toContain('error ci.kept: pull request 12 has no artifact gantry-plan');
  });

  test('an archive with two files of the same name is refused', async () => {
    forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': plan } });
    const bytes = Buffer.from(zipSync({ 'gantry.plan': plan, 'gantry.plaN': other }));
    const twice = Buffer.from(bytes.toString('latin1').replaceAll('gantry.plaN', 'gantry.plan'), 'latin1');
    forge.fail(pulls, listed({ repository_id: 1, head_repository_id: 1 }), { status: 200, bytes: twice });
    expect((await fetchPlan(env())).stderr).toContain(
      'error ci.kept: the artifact gantry-plan contains gantry.plan twice',
    );
  });

  test('a read is retried after a server error, and so is a download', async () => {
    forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': plan } });
    const broken = { status: 500, headers: { 'retry-after': '0' } };
    const limited = { status: 403, headers: { 'retry-after': '0' } };
    const redirect = { status: 302, headers: { location: `${forge.url}/storage/0` } };
    forge.fail(
      broken,
      limited,
      pulls,
      listed({ repository_id: 1, head_repository_id: 1 }),
      redirect,
      broken,
      broken,
      broken,
    );
    expect((await fetchPlan(env())).code).toBe(0);
    forge.fail(pulls, listed({ repository_id: 1, head_repository_id: 1 }), redirect, broken, broken, broken, broken);
    expect((await fetchPlan(env())).stderr).toContain(
      'error ci.forge: the storage of GitHub answered 500 to the download of an artifact',
    );
  });

  test('a job of a tag fetches no plan', async () => {
    expect((await fetchPlan(forge.variables('refs/tags/v1', merge))).stderr).toContain(
      'error ci.change: GITHUB_REF is "refs/tags/v1", which is not a branch that pull requests are merged into',
    );
  });

  test('an archive that is no ZIP is refused', async () => {
    forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': plan } });
    forge.fail(pulls, listed({ repository_id: 1, head_repository_id: 1 }), {
      status: 200,
      bytes: Buffer.from('no zip'),
    });
    expect((await fetchPlan(env())).stderr).toContain('error ci.kept: the artifact gantry-plan is not a ZIP archive');
  });

  test('a file that is no plan is not overwritten', async () => {
    forge.artifacts.push({ name: 'gantry-plan', head, files: { 'gantry.plan': plan } });
    writeFileSync(file, 'my notes');
    const { code, stderr } = await fetchPlan(env());
    expect(code).toBe(1);
    expect(stderr).toContain('error saved.unwritable: ');
    expect(readFileSync(file, 'utf8')).toBe('my notes');
  });
});

describe('on GitLab', () => {
  let forge: GitLabStandIn;
  beforeAll(async () => {
    forge = await startGitLab();
  });
  afterAll(() => forge.close());
  beforeEach(() => {
    writeFileSync(file, '');
    forge.requests.splice(0, 9, { iid: 4, head, merged: merge });
    forge.pipelines.length = 0;
  });
  afterEach(() => expect(forge.faults).toEqual([]));
  const env = () => forge.variables(merge);
  const job = (id: number, status: string, bytes: Uint8Array) => ({
    id,
    name: 'gantry-plan',
    status,
    files: { 'gantry.plan': bytes },
  });

  test('saves the plan of the last pipeline', async () => {
    forge.pipelines.push({ id: 1, iid: 4, sha: older, jobs: [job(10, 'success', other)] });
    forge.pipelines.push({ id: 2, iid: 4, sha: head, jobs: [job(11, 'success', plan)] });
    const { code, stdout } = await fetchPlan(env(), '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ forge: 'GitLab', change: '4', commit: head, artifact: 'gantry-plan', file });
    expect(readFileSync(file)).toEqual(plan);
  });

  test('saves the plan of a merged result whose source is the last commit', async () => {
    forge.pipelines.push({ id: 2, iid: 4, sha: result, parents: [base, head], jobs: [job(11, 'success', plan)] });
    expect((await fetchPlan(env())).stdout).toBe(`fetched  ${file}: the plan of 4, made from bbbbbbbbbbbb\n`);
    expect(readFileSync(file)).toEqual(plan);
  });

  test('no plan is used from a merge request without project ids', async () => {
    const found = { iid: 4, state: 'merged', sha: head, merge_commit_sha: merge, target_branch: 'main' };
    forge.pipelines.push({ id: 2, iid: 4, sha: head, jobs: [job(11, 'success', plan)] });
    forge.fail({ status: 200, json: [found] });
    expect((await fetchPlan(env())).stderr).toContain('error ci.kept: merge request 4 comes from a fork');
  });

  test('saves the signatures', async () => {
    const signed = { ...job(11, 'success', plan), files: { 'gantry.plan': plan, 'gantry.plan.sig': other } };
    forge.pipelines.push({ id: 2, iid: 4, sha: head, jobs: [signed] });
    expect((await fetchPlan(env())).stdout).toContain(`, with its signatures (${file}.sig)\n`);
    expect(readFileSync(`${file}.sig`)).toEqual(other);
  });

  // biome-ignore format: a row is a case
  test.each([
    ['a push without a merge request', () => forge.requests.splice(0), 'ci.change: commit aaaaaaaaaaaa was not merged'],
    ['a merge into another branch', () => forge.requests.splice(0, 1, { iid: 4, head, merged: merge, target: 'dev' }),
      'ci.change: commit aaaaaaaaaaaa was not merged into main by a merge request'],
    ['a merged result of an older commit', () => forge.pipelines.push({ id: 1, iid: 4, sha: result,
      parents: [base, older], jobs: [job(10, 'success', plan)] }),
      'ci.kept: merge request 4 has no pipeline for its last commit'],
    ['no pipeline', () => {}, 'ci.kept: merge request 4 has no pipeline for its last commit'],
    ['a pipeline of an older commit only',
      () => forge.pipelines.push({ id: 1, iid: 4, sha: older, jobs: [job(10, 'success', plan)] }),
      'ci.kept: merge request 4 has no pipeline for its last commit'],
    [
      'a last pipeline whose plan failed, after one that did not',
      () => {
        forge.pipelines.push({ id: 1, iid: 4, sha: older, jobs: [job(10, 'success', other)] });
        forge.pipelines.push({ id: 2, iid: 4, sha: head, jobs: [job(11, 'failed', plan)] });
      },
      'ci.kept: the job gantry-plan of merge request 4 has the status failed',
    ],
    ['a last pipeline without that job', () => forge.pipelines.push({ id: 2, iid: 4, sha: head, jobs: [] }),
      'ci.kept: the last pipeline of merge request 4 has no job gantry-plan'],
    ['a fork', () => forge.requests.splice(0, 1, { iid: 4, head, merged: merge, fork: true }),
      'ci.kept: merge request 4 comes from a fork'],
  ])('%s is refused', async (_, arrange, message) => {
    arrange();
    const { code, stderr } = await fetchPlan(env());
    expect(code).toBe(1);
    expect(stderr).toContain(`error ${message}`);
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});
