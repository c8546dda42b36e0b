import type { JsonObject } from '../../base/json/json.ts';
import { sameJson } from '../../base/json/json.ts';
import { linkTo } from '../../client/read/liveResource.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import { listenForInterrupt } from '../../terminal/process/interrupt.ts';
import type { Api, Listed } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { kindOf } from '../call/input.ts';
import { listOf, showList } from '../output/present.ts';

const intervalMs = 2_000;

/**
 * Prints the list, and then each record that is new or changed, until it is interrupted or `--wait-timeout` is over.
 */
export async function watchList(given: Call, api: Api, read: () => Promise<Listed>): Promise<Ending> {
  const call = withoutPager(given);
  const { form } = call.context.options;
  if (form !== 'text' && form !== 'names') {
    throw new UsageError(
      `--watch cannot be combined with -o ${form}`,
      'Use -o text or -o names: the other formats print one complete document.',
    );
  }
  const endMs = call.context.now() + (call.given.count('waitTimeout') ?? Number.POSITIVE_INFINITY);
  const interrupt = listenForInterrupt(() => api.stopRetrying());
  const kind = kindOf(call);
  const known = new Map<string, JsonObject>();
  try {
    for (let isFirst = true; ; isFirst = false) {
      const listed = await read().catch((error: unknown) => {
        if (interrupt.signal.aborted) return undefined; // what was not answered is not waited for
        throw error;
      });
      if (listed === undefined) return exitCode.ok;
      const { items } = listed;
      const changed = items.filter((item) => {
        const self = linkTo(item, 'self') ?? '';
        const before = known.get(self);
        known.set(self, item);
        return before === undefined || !sameJson(before, item);
      });
      const here = new Set(items.map((item) => linkTo(item, 'self') ?? ''));
      const gone = [...known.keys()].filter((self) => !here.has(self));
      for (const self of gone) known.delete(self);
      if (changed.length > 0 || isFirst) await showList(call, kind, listOf(kind, changed));
      for (const self of gone) call.context.terminal.result(`${self} is gone`);
      const leftMs = endMs - call.context.now();
      if (interrupt.signal.aborted || leftMs <= 0) return exitCode.ok;
      await pause(Math.min(intervalMs, leftMs), interrupt.signal);
      if (interrupt.signal.aborted) return exitCode.ok;
    }
  } finally {
    interrupt.release();
  }
}

/** What goes on cannot wait for somebody to leave a pager. */
function withoutPager(call: Call): Call {
  const { terminal } = call.context;
  const page = async (text: string) => terminal.result(text);
  return { ...call, context: { ...call.context, terminal: { ...terminal, page } } };
}

/** Ends early when it is interrupted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
