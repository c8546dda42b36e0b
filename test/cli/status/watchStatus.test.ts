import { describe, expect, test } from 'vitest';
import type { ResourceState, ResourceStatus, StackStatus } from '../../../src/change/status.ts';
import { openWatchDisplay } from '../../../src/cli/commands/status.ts';
import { watchStatus } from '../../../src/gantry/watchStatus.ts';
import { FakeClock } from '../../apply/harness/fakePlatform.ts';
import { silentTerminal } from '../silentTerminal.ts';

function resource(id: string, state: ResourceState, health: string, ...reasons: readonly string[]): ResourceStatus {
  return { id, state, health, reasons };
}

function stack(...resources: readonly ResourceStatus[]): StackStatus {
  return { org: 'o', stack: 'shop', declarationsKnown: true, resources, requests: 3 };
}

const starting = stack(resource('workload/g/web', 'not-ready', 'notReady'));
const ready = stack(resource('workload/g/web', 'ready', 'ready'));
const failed = stack(resource('workload/g/web', 'failed', 'notReady'));

/** Watches the status that `at` returns for each time of the clock. */
async function watch(at: (nowMs: number) => StackStatus, timeoutMs?: number, interruptAtMs?: number) {
  const clock = new FakeClock();
  const interrupt = new AbortController();
  const shown: StackStatus[] = [];
  const last = await watchStatus({
    async read() {
      if (interruptAtMs !== undefined && clock.now() >= interruptAtMs) interrupt.abort();
      return at(clock.now());
    },
    show: (status) => shown.push(status),
    clock,
    signal: interrupt.signal,
    timeoutMs,
  });
  return { last, shown, endedMs: clock.now() };
}

describe('watching ends', () => {
  test('immediately if nothing can become ready any more', async () => {
    expect((await watch(() => ready)).shown).toEqual([ready]);
    expect((await watch(() => failed)).shown).toEqual([failed]);
  });

  test('when everything is ready or failed', async () => {
    const { last, shown } = await watch((nowMs) => (nowMs < 5_000 ? starting : ready));
    expect(last).toBe(ready);
    expect(shown).toEqual([starting, starting, starting, ready]);
    expect((await watch((nowMs) => (nowMs < 5_000 ? starting : failed))).last).toBe(failed);
  });

  test('after its timeout, with one more status', async () => {
    const { last, endedMs } = await watch(() => starting, 5_000);
    expect(last).toBe(starting);
    expect(endedMs).toBe(5_000);
    expect((await watch(() => starting, 0)).shown).toEqual([starting]);
  });

  test('when interrupted', async () => {
    expect((await watch(() => starting, undefined, 4_000)).endedMs).toBe(4_000);
  });
});

function recording(live: boolean, rows = 24) {
  const texts: string[] = [];
  const tell = (text: string) => void texts.push(text);
  const size = () => ({ columns: 40, rows });
  return { texts, terminal: silentTerminal({ result: tell, message: tell, draw: tell, live, size }) };
}

const web = (state: ResourceState, health: string, ...reasons: readonly string[]) =>
  resource('workload/g/web', state, health, ...reasons);

test('without a terminal: a line for each resource that is not ready, and for each change', () => {
  const { texts, terminal } = recording(false);
  let nowMs = 0;
  const display = openWatchDisplay(terminal, () => nowMs);
  display.show(stack(resource('gvc/g', 'ready', 'exists'), web('not-ready', 'notReady', 'a: starting')));
  nowMs = 2_000;
  display.show(stack(resource('gvc/g', 'ready', 'exists'), web('not-ready', 'notReady', 'a: starting')));
  nowMs = 4_000;
  display.show(stack(resource('gvc/g', 'ready', 'exists'), web('ready', 'ready')));
  display.close();
  expect(texts).toEqual([
    '  … workload/g/web notReady: a: starting after 0.0 s',
    '  ✓ workload/g/web ready after 4.0 s',
  ]);
});

test('on a terminal resources that are not ready are overwritten, with names cut to fit, and no more than fit', () => {
  const { texts, terminal } = recording(true, 6);
  const display = openWatchDisplay(terminal, () => 0);
  display.show(stack(web('not-ready', 'partial', 'aws-eu-central-1: the new version is starting')));
  const many = ['a', 'b', 'c'].map((name) => resource(`domain/${name}`, 'not-ready', 'initializing'));
  display.show(stack(...many));
  display.close();
  expect(texts).toEqual([
    '  … workload/g/web partial:…\n0.0 s: 1 resource: 1 not ready.…\n',
    '\u001b[2A\u001b[0J  … domain/a initializing\n  … domain/b initializing\n  and 1 more\n0.0 s: 3 resources: 3 not ready.…\n',
    '\u001b[4A\u001b[0J',
  ]);
});
