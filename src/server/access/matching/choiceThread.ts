import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Answered, type Asked, type Question, ready } from './expression.ts';

/** One answer takes some milliseconds; loading the sandbox some tens. */
const limitMs = 1_000;
const loadingMs = 20_000;

/** Beside this file as it is written, and as it is bundled: into one file, or into a chunk. */
const places = ['./choiceWorker.ts', './choiceWorker.js', '../choiceWorker.js'];

/** Answers questions one after the other in a thread, which is ended where an answer takes too long. */
export class ChoiceThread {
  #worker: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** Undefined: no answer in time. Errors: the thread does not start. */
  ask(question: Question): Promise<boolean | undefined> {
    const answer = this.#last.then(() => this.#ask(question));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ask(question: Question): Promise<boolean | undefined> {
    this.#worker ??= started();
    const worker = await this.#worker.catch((cause: unknown) => {
      this.#worker = undefined;
      throw cause;
    });
    this.#count += 1;
    const asked: Asked = { ...question, id: this.#count };
    const answer = await firstMessage(
      worker,
      limitMs,
      (message: Answered) => message.id === asked.id,
      () => worker.postMessage(asked),
    );
    if (answer !== undefined) return answer.chosen;
    this.#worker = undefined;
    await worker.terminate();
    return undefined;
  }
}

async function started(): Promise<Worker> {
  const found = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (found === undefined) throw new Error('the thread for expressions is not where it should be');
  const worker = new Worker(found);
  // It has no state: a server that ends does not wait for it.
  worker.unref();
  const loaded = await firstMessage(
    worker,
    loadingMs,
    (message: unknown) => message === ready,
    () => undefined,
  );
  if (loaded !== undefined) return worker;
  await worker.terminate();
  throw new Error('the thread for expressions does not start');
}

/** Undefined where none comes in time, or the thread ends. */
function firstMessage<T>(
  worker: Worker,
  withinMs: number,
  isIt: (message: T) => boolean,
  send: () => void,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(undefined), withinMs);
    function end(message: T | undefined): void {
      clearTimeout(timer);
      worker.off('message', listen);
      worker.off('error', fail);
      worker.off('exit', fail);
      resolve(message);
    }
    function listen(message: T): void {
      if (isIt(message)) end(message);
    }
    function fail(): void {
      end(undefined);
    }
    worker.on('message', listen);
    worker.on('error', fail);
    worker.on('exit', fail);
    send();
  });
}
