import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, objectAt, own } from '../../../src/base/json/json.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { type Passing, startProxy, type Verdict } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** Platform faults other than failures: it ignores versions, returns old records, or is slow. */
const root = temporaryFolder('platform-faults');
const folder = join(root, 'harbour');
/** Outside of the project, where it would be read as a manifest. */
const kept = join(root, 'kept.json');
const platform = usePlatform(['--clock', 'virtual']);
const run = (...args: readonly string[]) => inProcess(platform, args, { cwd: folder });
const faults = (...list: readonly JsonObject[]) => platform.call('POST', '/-faults', { faults: list });
const version = async (path: string) => own((await platform.call('GET', `/org/local/${path}`)).body, 'version');

function write(word: string, target = 'group'): void {
  writeFileSync(
    join(folder, 'stack.yaml'),
    `
kind: gvc
name: harbour
description: ${word}
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: group
name: harbour-people
description: ${word}
---
kind: policy
name: harbour-rules
targetKind: ${target}
target: all
`,
  );
}

function result({ stdout }: Outcome): JsonObject {
  const parsed: unknown = JSON.parse(stdout);
  return isObject(parsed) ? objectAt(parsed, 'result') : {};
}

beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: harbour\n');
});
beforeEach(async () => {
  write('one');
  await succeeded(run('apply', '.', '--yes'));
});
afterEach(() => platform.call('DELETE', '/-faults'));

/** Applies, and calls `meanwhile` before the first request that fits. */
async function applyWhile(fits: (passing: Passing) => boolean, meanwhile: () => Promise<unknown>, ...more: string[]) {
  let done: Promise<unknown> | undefined;
  const proxy = await startProxy(platform.url, async (passing): Promise<Verdict> => {
    if (fits(passing)) {
      done ??= meanwhile();
      await done;
    }
    return 'pass';
  });
  const outcome = await inProcess(proxy, ['apply', '.', '--yes', '-o', 'json', ...more], { cwd: folder });
  await proxy.close();
  expect(done).toBeDefined();
  return { ...outcome, requests: proxy.seen.map(({ method, path }) => `${method} ${path}`) };
}

const isPatch = ({ method, path }: Passing) => method === 'PATCH' && path.endsWith('/gvc/harbour');

describe('a platform that ignores versions', () => {
  beforeEach(() => faults({ ignorePrecondition: true }));

  test('is detected by one request, each record is read before its write, and the result says so', async () => {
    write('two');
    const outcome = await succeeded(run('apply', '.', '--yes'));
    expect(outcome.stdout).toContain('Note: this platform accepts a PATCH for any version of a record');
    expect(outcome.stdout).toContain('(2 reads more)');
  });

  test('a write of another client before that read is not overwritten', async () => {
    write('two');
    const isReadOfGvc = ({ method, path }: Passing) => method === 'GET' && path.endsWith('/gvc/harbour');
    const theirs = { description: 'theirs' };
    const outcome = await applyWhile(isReadOfGvc, () => platform.call('PATCH', '/org/local/gvc/harbour', theirs));
    expect(outcome.code).toBe(5);
    expect(result(outcome)['failed']).toMatchObject([{ id: 'gvc/harbour', code: 'plan.stale' }]);
    expect((await platform.call('GET', '/org/local/gvc/harbour')).body['description']).toBe('theirs');
  });
});

test('an endpoint without feature information is probed once; if it honours versions, nothing more is read', async () => {
  await faults({ path: '/discovery', ignorePrecondition: true });
  write('two');
  const before = await platform.seen();
  const outcome = await succeeded(run('apply', '.', '--yes', '-o', 'json'));
  const patches = platform.requests.slice(before).filter(({ method }) => method === 'PATCH');
  expect(patches.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
  expect(result(outcome)).not.toHaveProperty('notes');
  const plan: unknown = JSON.parse(outcome.stdout);
  const promised = isObject(plan) ? objectAt(plan, 'requests')['apply'] : undefined;
  expect(result(outcome)['requests']).toBe(promised); // law 7: the probe is counted
});

test('a saved plan probes too, and its full verification reads all of its resources again', async () => {
  await faults({ path: '/discovery', ignorePrecondition: true });
  write('two');
  expect((await run('plan', '.', '--out', kept)).code).toBe(0);
  const before = await platform.seen();
  const outcome = await succeeded(run('apply', kept, '--yes', '-o', 'json', '--verify=full'));
  const patches = platform.requests.slice(before).filter(({ method }) => method === 'PATCH');
  expect(patches.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
  expect(result(outcome)).toMatchObject({ verification: 'full', verified: true });
});

describe('a write of another client before ours', () => {
  test('to another field: the result names the client and its remaining fields, and our write succeeds', async () => {
    write('two');
    const theirs = { tags: { theirs: 'kept' } };
    const outcome = await succeeded(
      applyWhile(isPatch, () => platform.call('PATCH', '/org/local/gvc/harbour', theirs)),
    );
    expect(result(outcome)['races']).toMatchObject([
      { id: 'gvc/harbour', outcome: 'written', theirs: ['tags.theirs'], notWritten: [], by: [expect.any(String)] },
    ]);
    expect(JSON.stringify(result(outcome)['races'])).not.toContain('unknown'); // the audit trail is readable
    await platform.call('PATCH', '/org/local/gvc/harbour', { tags: { theirs: null } });
  });

  test('to the same field: their value stays, and the result says that ours was not written', async () => {
    write('two');
    const theirs = { description: 'theirs' };
    const outcome = await applyWhile(isPatch, () => platform.call('PATCH', '/org/local/gvc/harbour', theirs));
    expect(outcome.code).toBe(5);
    expect(result(outcome)['races']).toMatchObject([
      { id: 'gvc/harbour', outcome: 'stale', theirs: ['description'], notWritten: ['description'] },
    ]);
  });
});

describe('old answers', () => {
  test('after a lost reply cause no second write', async () => {
    write('two');
    const before = Number(await version('gvc/harbour'));
    await faults(
      { method: 'GET', path: '/org/local/gvc/harbour', stale: '1h', times: 3 },
      { method: 'PATCH', path: '/org/local/gvc/harbour', drop: true, times: 1 },
    );
    await platform.call('GET', '/org/local/gvc/harbour'); // this answer is returned for a while
    await succeeded(run('apply', '.', '--yes', '-o', 'json'));
    expect(await version('gvc/harbour')).toBe(before + 1);
  });

  test('do not fail the verification', async () => {
    write('two');
    // The query of owned records is the same while planning and while verifying. The second one returns an old answer,
    // and records that are too old in it are read by name.
    await faults({ method: 'POST', path: '/org/local/group/-query', stale: '1h', at: [2, 3] });
    const outcome = await succeeded(run('apply', '.', '--yes', '-o', 'json'));
    expect(result(outcome)).toMatchObject({ verified: true });
    const { counts } = (await platform.call('GET', '/-faults')).body;
    expect(counts).toEqual([{ met: 2, struck: 1 }]);
  });
});

test('a replacement waits until a slow deletion has ended before it uses the name again', async () => {
  write('one', 'gvc');
  await faults({ method: 'DELETE', slowDeletion: '1h' });
  const path = '/org/local/policy/harbour-rules';
  let deleted = false;
  let looks = 0;
  const proxy = await startProxy(
    platform.url,
    () => 'pass',
    async (passing) => {
      if (passing.path !== path) return;
      deleted ||= passing.method === 'DELETE';
      if (!deleted || passing.method !== 'GET') return;
      looks += 1;
      if (looks === 1) await platform.call('POST', '/-clock', { advance: '1h' });
    },
  );
  const outcome = await inProcess(proxy, ['apply', '.', '--yes', '-o', 'json'], { cwd: folder });
  await proxy.close();
  expect(outcome.code, outcome.stdout + outcome.stderr).toBe(0);
  expect(looks).toBeGreaterThan(0);
  expect(outcome.stderr).toContain('policy/harbour-rules waits for the deletion to end');
  expect((await platform.call('GET', path)).body).toMatchObject({ targetKind: 'gvc' });
});

test('apply reports retries of requests', async () => {
  write('two');
  await faults({ method: 'PATCH', status: 429, times: 2 });
  const outcome = await succeeded(run('apply', '.', '--yes'));
  expect(outcome.stderr).toMatch(/PATCH \S+: too many requests; again in 0\.\d s/);
});

describe('--verify=full', () => {
  test('plans again, and reports that it compared by a plan', async () => {
    write('two');
    const outcome = await succeeded(run('apply', '.', '--yes', '-o', 'json', '--verify=full'));
    expect(result(outcome)).toMatchObject({ verified: true, verification: 'full' });
  });

  test('lists a change that another client made after the versions were compared', async () => {
    write('two');
    let patched = false;
    let groupsRead = 0;
    const isSecondReading = ({ method, path }: Passing) => {
      patched ||= method === 'PATCH';
      if (patched && path.startsWith('/org/local/group/-query')) groupsRead += 1;
      return groupsRead === 2;
    };
    const outcome = await applyWhile(
      isSecondReading,
      () => platform.call('PATCH', '/org/local/group/harbour-people', { description: 'theirs' }),
      '--verify=full',
    );
    expect(outcome.code).toBe(5);
    expect(result(outcome)).toMatchObject({
      verified: false,
      verification: 'full',
      differences: ['group/harbour-people would still be changed: description'],
    });
  });
});

describe('the verification after a run', () => {
  /** Fits the first query after a write. */
  const verifying = () => {
    let patched = false;
    return ({ method, path }: Passing) => {
      patched ||= method === 'PATCH';
      return patched && path.includes('/-query');
    };
  };

  // biome-ignore format: a row is a case
  test.each([
    { it: 'that an unchanged declared record was deleted during the run',
      meanwhile: () => platform.call('DELETE', '/org/local/policy/harbour-rules'),
      difference: /^policy\/harbour-rules was unchanged, but no longer exists or is no longer owned$/ },
    { it: 'that another client overwrote a change of the run',
      meanwhile: () => platform.call('PATCH', '/org/local/gvc/harbour', { description: 'theirs' }),
      difference: /^gvc\/harbour was written, but somebody else wrote it since \(version \d+ to \d+\): description$/ },
    {
      it: 'that another client changed an unchanged record to differ from the declared one',
      meanwhile: () => platform.call('PATCH', '/org/local/policy/harbour-rules', { description: 'theirs' }),
      difference:
        /^policy\/harbour-rules was unchanged, but somebody else wrote it since \(version \d+ to \d+\): description$/,
    },
  ])('finds $it', async ({ meanwhile, difference }) => {
    write('two');
    const outcome = await applyWhile(verifying(), meanwhile, '--consistency-timeout', '2s');
    expect(outcome.code).toBe(5);
    expect(result(outcome)).toMatchObject({ verified: false, differences: [expect.stringMatching(difference)] });
  });

  test('accepts writes of other clients to undeclared fields', async () => {
    write('two');
    const theirs = () => platform.call('PATCH', '/org/local/policy/harbour-rules', { tags: { theirs: '1' } });
    const outcome = await succeeded(applyWhile(verifying(), theirs));
    expect(result(outcome)).toMatchObject({
      verified: true,
      compared: { written: 2, unchanged: 1, rewritten: ['policy/harbour-rules'] },
    });
  });
});
