import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { developmentConfiguration } from '../../../src/hcl/configuration/cliConfiguration.ts';
import type { RequestLogEntry } from '../../../src/server/http/listen.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { type Passing, type Proxy as PlatformProxy, startProxy } from '../../e2e/harness/proxy.ts';
import { ownPort } from '../../harness/ownPort.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { makeProject, type Project, type Running } from '../harness/terraform.ts';

const provider = new URL('../../../dist/terraform-provider', import.meta.url).pathname;
const count = 20;
/** Terraform has ten requests in flight: then most are not answered yet, and some have not begun. */
const answered = 6;
const groups = () => `resource "gantry_group" "all" {\n  count = ${count}\n  name = "group-\${count.index}"\n}\n`;
const oneGroup = (description: string) =>
  `resource "gantry_group" "one" {\n  name = "one"\n  description = "${description}"\n}\n`;

/** The real terraform with the installed provider, against a platform slow enough to be interrupted in the middle. */
describeTerraform('a fault during an apply', () => {
  const folder = temporaryFolder('faults');
  const sockets = temporaryFolder('faults-sockets');
  let platform: RunningServer;
  let creations: number;
  let number = 0;

  async function start(options: ServerOptions = {}): Promise<void> {
    creations = 0;
    const requestLog = ({ method, status }: RequestLogEntry): void => {
      if (method === 'POST' && status === 201) creations += 1;
    };
    platform = await startServer({ port: 0, noAuth: true, latencyMs: 60, requestLog, ...options });
  }
  beforeEach(() => start());
  afterEach(() => platform.close());

  function project(environment: Readonly<Record<string, string>> = {}): Project {
    number += 1;
    return makeProject(join(folder, String(number)), {
      TEST_RC: developmentConfiguration(provider),
      GANTRY_ENDPOINT: platform.url,
      GANTRY_ORG: 'local',
      TMPDIR: sockets,
      ...environment,
    });
  }

  /** After the first creations, answers wait for `release`: the records exist, and no state has them. */
  async function holdingAnswers(): Promise<{ readonly proxy: PlatformProxy; release(): void }> {
    const released = Promise.withResolvers<void>();
    const after = ({ method, write }: Passing) =>
      method === 'POST' && write > answered ? released.promise : undefined;
    const proxy = await startProxy(platform.url, () => 'pass', after);
    onTestFinished(() => proxy.close());
    return { proxy, release: released.resolve };
  }

  async function until(condition: () => boolean, running: Running): Promise<void> {
    let ended = false;
    void running.ended.then(() => {
      ended = true;
    });
    while (!condition() && !ended) await wait(10);
    expect(condition(), 'it ended before').toBe(true);
  }

  async function ids(): Promise<readonly string[]> {
    const reply = await fetch(`${platform.url}/org/local/group?limit=1000`);
    const { items }: { items: readonly { name: string; id: string }[] } = JSON.parse(await reply.text());
    return items.filter(({ name }) => name.startsWith('group-')).map(({ id }) => id);
  }

  /** Whatever happened before, one apply completes the stack, and no record was created twice or lost. */
  async function expectCompletedBy(next: Project): Promise<string> {
    const before = await ids();
    const { code, text } = await next.run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    const after = await ids();
    expect(after).toHaveLength(count);
    expect(after).toEqual(expect.arrayContaining([...before]));
    expect(creations).toBe(count);
    expect(await next.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
    return text;
  }

  it('Ctrl-C: requests in flight finish and are in the state, nothing new begins, and the next apply continues', async () => {
    const { proxy, release } = await holdingAnswers();
    const one = project({ GANTRY_ENDPOINT: proxy.url });
    one.write(groups());
    // Two at a time, because Terraform's threads can begin more requests before they see the signal, but far from all.
    const running = one.start('apply', '-auto-approve', '-parallelism=2', '-no-color');
    await until(() => creations > answered, running);
    process.kill(-(running.child.pid ?? 0), 'SIGINT');
    await until(() => running.text.includes('Stopping operation...'), running);
    release();
    const { code } = await running.ended;
    expect(code).toBe(1);
    expect(creations).toBeLessThan(count);
    expect((await one.run('state', 'list')).text.trim().split('\n')).toHaveLength(creations);
    expect(await expectCompletedBy(one)).not.toContain('is taken over');
  });

  it('kill -9 of terraform: the next apply takes over its records, and creates none twice', async () => {
    const { proxy, release } = await holdingAnswers();
    const one = project({ GANTRY_ENDPOINT: proxy.url });
    one.write(groups());
    const running = one.start('apply', '-auto-approve', '-no-color');
    await until(() => creations > answered, running);
    const providers = childrenOf(running.child.pid ?? 0);
    process.kill(running.child.pid ?? 0, 'SIGKILL');
    release();
    await running.ended;
    // Without their parent they end by themselves, within a second. A folder without a socket proves nothing: on a busy
    // machine Terraform kills providers that are ending.
    await expect.poll(() => providers.filter(isRunning), { timeout: 30_000 }).toEqual([]);
    expect(await expectCompletedBy(one)).toContain('exists already, and is taken over');
  });

  it('kill -9 of the provider: the same; the next one removes its socket', async () => {
    const { proxy, release } = await holdingAnswers();
    const one = project({ GANTRY_ENDPOINT: proxy.url });
    one.write(groups());
    const running = one.start('apply', '-auto-approve', '-no-color');
    await until(() => creations > answered, running);
    for (const child of childrenOf(running.child.pid ?? 0)) process.kill(child, 'SIGKILL');
    const { code } = await running.ended;
    expect(code).toBe(1);
    release();
    const left = readdirSync(sockets).filter((name) => existsSync(join(sockets, name, 'socket')));
    expect(left).not.toEqual([]);
    expect(await expectCompletedBy(one)).toContain('exists already, and is taken over');
    // Terraform kills a provider that takes two seconds to end, so a busy machine may leave sockets of the last run.
    expect(readdirSync(sockets).filter((name) => left.includes(name))).toEqual([]);
  });

  it('a platform that stops in the middle and comes back: the apply continues', async () => {
    await platform.close();
    const [data, port] = [join(folder, 'platform.db'), await ownPort()];
    await start({ data, port });
    const one = project();
    one.write(groups());
    const running = one.start('apply', '-auto-approve', '-no-color');
    await until(() => creations >= answered, running);
    const created = creations;
    await platform.close();
    await wait(500);
    await start({ data, port });
    const { code, text } = await running.ended;
    expect(code, text).toBe(0);
    expect(await ids()).toHaveLength(count);
    expect(created + creations).toBeLessThanOrEqual(count);
    expect(await one.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  });

  it('an unreachable address, and a refused token: one error that names the place', async () => {
    const nobody = project({ GANTRY_ENDPOINT: 'http://127.0.0.1:9' });
    nobody.write(oneGroup('first'));
    const unreachable = await nobody.run('plan', '-no-color');
    expect(unreachable.code).toBe(1);
    expect(unreachable.text.match(/Error: /g)).toHaveLength(1);
    expect(unreachable.text).toContain('127.0.0.1:9');

    await platform.close();
    await start({ noAuth: false, token: 'right' });
    const refused = project({ GANTRY_TOKEN: 'wrong' });
    refused.write(oneGroup('first'));
    const { code, text } = await refused.run('plan', '-no-color');
    expect(code).toBe(1);
    expect(text.match(/Error: /g)).toHaveLength(1);
    expect(text).toContain('GANTRY_TOKEN');
    expect(text).not.toContain('wrong"');
  });

  it('two concurrent applies on two states: each record is created once, and the other apply names its owner', async () => {
    const both = [project(), project()];
    for (const each of both) each.write(groups());
    const ran = await Promise.all(both.map((each) => each.run('apply', '-auto-approve', '-no-color')));
    expect(creations).toBe(count);
    expect(await ids()).toHaveLength(count);
    const created = await Promise.all(both.map(async (each) => (await each.run('state', 'list')).text.match(/group/g)));
    expect(created.reduce((sum, found) => sum + (found?.length ?? 0), 0)).toBe(count);
    for (const { code, text } of ran.filter((each) => each.code !== 0)) {
      expect(code).toBe(1);
      for (const [, error = ''] of text.matchAll(/Error: (.*)/g)) {
        expect(error).toMatch(/^group\/group-\d+ exists already \(id .*, and this state does not have it/);
      }
    }
  });

  it('a slow platform', async () => {
    await platform.close();
    await start({ latencyMs: 1_500 });
    const one = project();
    one.write(oneGroup('first'));
    expect(await one.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
  });
});

/** The child processes, whichever thread started them. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );
}

/** An ended process may stay in the process table until its new parent reads its exit code. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
