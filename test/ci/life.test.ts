import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { openPlatform, type Platform, writesSince } from '../e2e/harness/platform.ts';
import { type Outcome, succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useGantryHere } from './runner/gantryHere.ts';
import type { ArtifactFiles, JobOutcome } from './runner/gitHubRunner.ts';
import { builtGantry } from './runner/steps.ts';
import { openWorld, type World } from './world.ts';

const folder = temporaryFolder('ci-life');
const newFolder = () => mkdtempSync(join(folder, 'world-'));

/** A manifest in which git can merge changes of two branches. */
const group = (name: string, description: string, color = 'red') =>
  `kind: group\nname: ${name}\ndescription: ${description}\ntags:\n  a: a\n  b: b\n  c: c\n  color: ${color}\n`;
const secret = (name: string, description = name) =>
  `kind: secret\nname: ${name}\ndescription: ${description}\ntype: opaque\ndata:\n  payload: canary-${name}\n  encoding: plain\n`;

interface Key {
  readonly secret: string;
  readonly public: string;
}

function key(name: string): Key {
  const file = join(mkdtempSync(join(folder, 'key-')), name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file]);
  return { secret: readFileSync(file, 'utf8'), public: readFileSync(`${file}.pub`, 'utf8') };
}

const results = (jobs: readonly JobOutcome[]) => jobs.map(({ job, result }) => `${job} ${result}`);
const logOf = (jobs: readonly JobOutcome[]) => jobs.map(({ log }) => log).join('');

const gantryHere = useGantryHere(folder);
let platform: Platform;
let world: World;
let planner: Key;
let approver: Key;

beforeAll(() => {
  planner = key('planner');
  approver = key('approver');
});

beforeEach(async () => {
  platform = await openPlatform();
  world = await openWorld({
    folder: newFolder(),
    platform,
    stack: 'shop',
    declares: { 'ops.yaml': group('ops', 'first'), 'token.yaml': secret('token') },
    files: {
      'gantry.yaml': 'stack: shop\nsigners: {plan: ci/planners.keys, approval: ci/approvers.keys}\n',
      'ci/planners.keys': planner.public,
      'ci/approvers.keys': approver.public,
    },
    secrets: {
      'gantry-plan': { GANTRY_PLAN_KEY: planner.secret },
      'gantry-approval': { GANTRY_APPROVAL_KEY: approver.secret },
    },
  });
});

afterEach(async () => {
  expect(world.forge.faults).toEqual([]);
  await world.close();
  await platform.stop();
});

/** Runs a command with the token of a job. */
function as(job: 'plan' | 'apply', cwd: string, ...args: readonly string[]): Promise<Outcome> {
  return inProcess(platform, args, { cwd, env: { GANTRY_TOKEN: world.keys[job] } });
}

async function descriptionOf(name: string): Promise<unknown> {
  const { status, body } = await platform.call('GET', `/org/local/group/${name}`);
  return status === 404 ? 'missing' : body['description'];
}

function artifactOf(number: number) {
  const head = world.forge.pulls.find((pull) => pull.number === number)?.head;
  const found = world.forge.artifacts.find((artifact) => artifact.name === 'gantry-plan' && artifact.head === head);
  if (found === undefined) throw new Error(`pull request ${number} has no plan`);
  return found;
}

function signaturesOf(files: ArtifactFiles): ArtifactFiles {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name.endsWith('.sig')));
}

test('branch, plan, comment, approval, merge, apply, drift, undo', async () => {
  // A pull request and a second push to it make one comment, and write nothing.
  const before = platform.requests.length;
  const first = await world.propose('begin', { 'ops.yaml': group('ops', 'first'), 'old.yaml': group('old', 'old') });
  expect(results(first.jobs)).toEqual(['plan success']);
  await world.propose('begin', { 'token.yaml': secret('token') });
  expect(world.forge.comments).toHaveLength(1);
  expect(world.forge.comments[0]?.body).toContain('secret/token');
  expect(world.forge.comments[0]?.body).not.toContain('canary');
  expect(writesSince(platform, before)).toEqual([]);

  // After the merge the pipeline waits for the approval.
  world.approved.delete('gantry-approval');
  expect(results(await world.merge(first.number))).toEqual(['fetch success']);
  expect(writesSince(platform, before)).toEqual([]);

  // With the approval exactly the plan of the last push is applied.
  world.approved.add('gantry-approval');
  const jobs = await world.again();
  expect(results(jobs)).toEqual(['fetch success', 'approve success', 'apply success']);
  expect(await descriptionOf('ops')).toBe('first');
  expect(logOf(jobs)).not.toContain('canary');

  // The built command line has run every kind of job but this one.
  world.gantry = gantryHere;

  // The nightly run finds nothing; then a resource is changed by hand.
  expect(results(await world.night())).toEqual(['drift success']);
  await platform.call('PATCH', '/org/local/group/ops', { description: 'by hand' });
  const [night] = await world.night();
  expect(night?.result).toBe('failure');
  expect(readFileSync(join(night?.workspace ?? '', 'gantry-report.md'), 'utf8')).toContain('group/ops');

  // The next change reverts that, edits and deletes resources, and undo reverts the change.
  const second = await world.propose('second', {
    'ops.yaml': group('ops', 'second'),
    'token.yaml': secret('token', 'edited'),
    'old.yaml': null,
  });
  const again = await world.merge(second.number);
  expect(results(again)).toEqual(['fetch success', 'approve success', 'apply success']);
  expect([await descriptionOf('ops'), await descriptionOf('old')]).toEqual(['second', 'missing']);
  const plan = join(folder, 'second.plan');
  copyFileSync(join(again.at(-1)?.workspace ?? '', 'gantry.plan'), plan);
  const cwd = newFolder();
  await succeeded(as('plan', cwd, 'undo', plan, '--out', 'undo.plan'));
  await succeeded(as('apply', cwd, 'apply', 'undo.plan', '--yes'));
  expect([await descriptionOf('ops'), await descriptionOf('old')]).toEqual(['by hand', 'old']);
});

describe('only the approved plan is applied', () => {
  beforeEach(async () => {
    world.gantry = gantryHere;
    world.commit({ 'ops.yaml': group('ops', 'first') });
    await succeeded(as('apply', folder, 'apply', world.origin, '--yes'));
  });

  test('if two pull requests change the same record, the plan of the second is stale and writes nothing', async () => {
    const one = await world.propose('one', { 'ops.yaml': group('ops', 'one') });
    const two = await world.propose('two', { 'ops.yaml': group('ops', 'first', 'blue') });
    expect(results(await world.merge(one.number))).toEqual(['fetch success', 'approve success', 'apply success']);
    const before = platform.requests.length;
    const jobs = await world.merge(two.number);
    expect(results(jobs)).toEqual(['fetch success', 'approve success', 'apply failure']);
    expect(logOf(jobs)).toContain('plan.stale');
    expect(writesSince(platform, before)).toEqual([]);
    expect(await descriptionOf('ops')).toBe('one');
  });

  test('if two pipelines apply the same plan together, it is applied once', async () => {
    world.gantry = builtGantry;
    const { number } = await world.propose('one', { 'new.yaml': group('new', 'new') });
    const before = platform.requests.length;
    const runs = await Promise.all([world.merge(number), world.again()]);
    expect(runs.map((jobs) => results(jobs).at(-1)).toSorted()).toContain('apply success');
    expect(await descriptionOf('new')).toBe('new');
    // Both may try; the platform accepts one.
    const creations = platform.requests
      .slice(before)
      .filter(({ method, status }) => method === 'POST' && status === 201);
    expect(creations).toEqual([{ method: 'POST', path: '/org/local/group', status: 201 }]);
  });

  test('a plan that was exchanged after the approval is refused', async () => {
    const good = await world.propose('good', { 'good.yaml': group('good', 'good') });
    const evil = await world.propose('evil', { 'evil.yaml': group('evil', 'evil') });
    const before = platform.requests.length;
    // Between the jobs: the plan of another pull request, also signed by the planner, with the approval of this one.
    const { files } = artifactOf(evil.number);
    const jobs = await world.merge(good.number, {
      onDownload: (kept, job) => (job === 'apply' ? { ...files, ...signaturesOf(kept) } : kept),
    });
    expect(results(jobs)).toEqual(['fetch success', 'approve success', 'apply failure']);
    expect(writesSince(platform, before)).toEqual([]);
    expect(await descriptionOf('evil')).toBe('missing');
  });

  test('a plan that was changed without a key is not approved', async () => {
    const { number } = await world.propose('one', { 'new.yaml': group('new', 'new') });
    const artifact = artifactOf(number);
    artifact.files = {
      ...signaturesOf(artifact.files),
      'gantry.plan': Buffer.from(String(artifact.files['gantry.plan']).replaceAll('new', 'bad')),
    };
    const jobs = await world.merge(number);
    expect(results(jobs)).toEqual(['fetch failure']);
    expect(await descriptionOf('new')).toBe('missing');
  });

  test('a pull request from a fork has no plan, and its artifacts are not applied', async () => {
    const { number, jobs } = await world.propose('fork', { 'new.yaml': group('new', 'new') }, { fork: true });
    expect(jobs).toEqual([]);
    expect(world.forge.comments.filter(({ pull }) => pull === number)).toEqual([]);
    const merged = await world.merge(number);
    expect(results(merged)).toEqual(['fetch failure']);
    expect(logOf(merged)).toContain('ci.kept');
    expect(await descriptionOf('new')).toBe('missing');
  });

  test('a refused plan is reported, and ends the pipeline', async () => {
    const { jobs, number } = await world.propose('one', {
      'wrong.yaml': 'kind: group\nname: wrong\nmemberLinks: 5\n',
    });
    expect(results(jobs)).toEqual(['plan failure']);
    expect(world.forge.comments.find(({ pull }) => pull === number)?.body).toContain('wrong.yaml:3');
    expect(results(await world.merge(number))).toEqual(['fetch failure']);
  });
});

describe('each job has its own token with the permissions that gantry ci policy prints', () => {
  beforeEach(async () => {
    world.gantry = gantryHere;
    world.commit({ 'ops.yaml': group('ops', 'first'), 'token.yaml': secret('token') });
    await succeeded(as('apply', folder, 'apply', world.origin, '--yes'));
  });

  // biome-ignore format: a row is a case
  const refused = [
    ['POST', 'group', { name: 'new' }],
    ['PATCH', 'group/ops', { description: 'changed' }],
    ['DELETE', 'group/ops', undefined],
    ['PATCH', 'secret/token', { description: 'changed' }],
    ['DELETE', 'secret/token', undefined],
    ['POST', 'serviceaccount/pipeline-shop-plan/-addKey', { description: 'another' }],
    ['PATCH', 'policy/pipeline-shop-own-group', { description: 'changed' }],
  ] as const;
  test('the platform refuses every write with the token of the plan jobs', async () => {
    for (const [method, path, body] of refused) {
      const { status } = await fetch(`${platform.url}/org/local/${path}`, {
        method,
        headers: { authorization: `Bearer ${world.keys.plan}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect.soft(status, `${method} ${path}`).toBe(403);
      expect(await descriptionOf('ops')).toBe('first');
    }
  });

  test('an apply job with the token of the plan jobs fails, says why, and writes nothing', async () => {
    const { number } = await world.propose('one', { 'ops.yaml': group('ops', 'one') });
    const before = platform.requests.length;
    world.tokens.set('gantry', world.keys.plan);
    const jobs = await world.merge(number);
    expect(results(jobs)).toEqual(['fetch success', 'approve success', 'apply failure']);
    expect(logOf(jobs)).toMatch(/api\.forbidden.*group\/ops/);
    const written = platform.requests.slice(before).filter(({ method }) => method === 'PATCH');
    expect(written).toEqual([{ method: 'PATCH', path: '/org/local/group/ops', status: 403 }]);
    expect(await descriptionOf('ops')).toBe('first');
  });

  test('a kind without a policy fails, names the missing permission, and writes nothing', async () => {
    const { number } = await world.propose('sets', { 'set.yaml': 'kind: ipset\nname: office\n' });
    const jobs = await world.merge(number);
    expect(results(jobs)).toEqual(['fetch success', 'approve success', 'apply failure']);
    expect(logOf(jobs)).toMatch(/api\.forbidden.*ipset/);
    expect((await platform.call('GET', '/org/local/ipset/office')).status).toBe(404);
  });
});
