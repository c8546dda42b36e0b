import { Worker } from 'node:worker_threads';
import { workerFile } from '../../sandbox/workerFile.ts';
import { type Answered, type Asked, type Question, ready } from './expression.ts';

/** Processor time for an answer, which takes milliseconds: on a busy machine the thread may not get it for seconds. */
const limitMs = 1_000;
/** By the clock, for whatever is waited for. */
const patienceMs = 20_000;

/** Answers questions one at a time in a thread, which is terminated if an answer takes too long. */
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
      timeLeft(worker),
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
  const worker = new Worker(workerFile('choiceWorker', new URL('./choiceWorker.ts', import.meta.url)));
  // The thread has no state, so the process need not wait for it.
  worker.unref();
  const loaded = await firstMessage(
    worker,
    undefined,
    (message: unknown) => message === ready,
    () => undefined,
  );
  if (loaded !== undefined) return worker;
  await worker.terminate();
  throw new Error('the thread for expressions does not start');
}

/** How many ms of its processor time a thread has left, from now on. Node before 24.6 does not know: none, after as many ms. */
function timeLeft(worker: Worker): () => Promise<number> {
  if (!('cpuUsage' in worker)) return async () => 0;
  const before = worker.cpuUsage();
  return async () => {
    const { user, system } = await worker.cpuUsage(await before);
    return limitMs - (user + system) / 1_000;
  };
}

/** Undefined: no message in time, or the thread has ended. `left`: asked after `limitMs`, and again after what it says. */
function firstMessage<T>(
  worker: Worker,
  left: (() => Promise<number>) | undefined,
  isIt: (message: T) => boolean,
  send: () => void,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    let isOver = false;
    let look: NodeJS.Timeout | undefined;
    const last = setTimeout(giveUp, patienceMs);
    if (left !== undefined) lookIn(limitMs, left);
    function lookIn(ms: number, how: () => Promise<number>): void {
      if (isOver) return;
      if (ms <= 0) giveUp();
      else look = setTimeout(() => how().then((more) => lookIn(more, how), fail), ms);
    }
    // An answer that came in time may wait to be read: this thread may have been busy for longer than that.
    function giveUp(): void {
      setImmediate(end, undefined);
    }
    function end(message: T | undefined): void {
      isOver = true;
      clearTimeout(last);
      clearTimeout(look);
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
