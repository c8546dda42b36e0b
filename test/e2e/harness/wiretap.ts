import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isObject, listAt, own } from '../../../src/base/json/json.ts';

export interface Heard {
  /** The neutral words that were found, with their messages. */
  readonly words: readonly string[];
  /** How many messages were checked. */
  readonly messages: number;
}

export interface Wiretap {
  readonly url: string;
  close(): Promise<Heard>;
}

/** Checks all messages to and from the platform at `target`; with a seed, each message is delayed by its own time. */
export async function startWiretap(target: string, delaySeed: number | undefined): Promise<Wiretap> {
  const thread = new Worker(new URL('./wiretapThread.ts', import.meta.url), { workerData: { target, delaySeed } });
  const [url]: unknown[] = await once(thread, 'message');
  return {
    url: String(url),
    async close() {
      const said = once(thread, 'message');
      thread.postMessage('close');
      const [heard]: unknown[] = await said;
      await thread.terminate();
      if (!isObject(heard)) throw new Error('the wiretap does not say what it heard');
      return { words: listAt(heard, 'heard').map(String), messages: Number(own(heard, 'messages')) };
    },
  };
}
