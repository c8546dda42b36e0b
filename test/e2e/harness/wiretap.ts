import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isObject, listAt, own } from '../../../src/base/json/json.ts';

/** What went over the wire. */
export interface Heard {
  /** Neutral words, and in which message. */
  readonly words: readonly string[];
  /** How many messages were listened to. */
  readonly messages: number;
}

export interface Wiretap {
  readonly url: string;
  close(): Promise<Heard>;
}

/** Listens to all that goes to and from the platform at `target`; with a seed, each message takes a while of its own. */
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
