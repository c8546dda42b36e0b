import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '../../base/json/json.ts';
import { workerFile } from '../../sandbox/workerFile.ts';
import { parseLink } from '../../schema/record/ref.ts';
import type { Caller } from '../core/caller.ts';
import type { Platform } from '../core/platform.ts';
import { findRow } from '../core/rows.ts';
import { Slices } from '../core/slices.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { dynamicGroups } from '../store/model/countedStore.ts';
import { targetOf } from './accessTarget.ts';
import { type IdentityMatcher, matcherOf } from './decisions/membership.ts';
import { type NumberedAnswer, type NumberedQuestion, type Question, readyMessage } from './expression.ts';

/** Processor time limit. An answer takes milliseconds, but a busy machine may not run the thread for seconds. */
const cpuLimitMs = 1_000;
/** Wall-clock limit for any answer. */
const answerTimeoutMs = 20_000;

/** Answers questions one at a time in a thread, which is terminated if an answer takes too long. */
export class ChoiceThread {
  #worker: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** Resolves to undefined if there is no answer in time. Rejects if the thread does not start. */
  ask(question: Question): Promise<boolean | undefined> {
    const answer = this.#last.then(() => this.#ask(question));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ask(question: Question): Promise<boolean | undefined> {
    this.#worker ??= startWorker();
    const worker = await this.#worker.catch((cause: unknown) => {
      this.#worker = undefined;
      throw cause;
    });
    this.#count += 1;
    const asked: NumberedQuestion = { ...question, id: this.#count };
    const answer = await firstMessage(
      worker,
      cpuTimeLeft(worker),
      (message: NumberedAnswer) => message.id === asked.id,
      () => worker.postMessage(asked),
    );
    if (answer !== undefined) return answer.chosen;
    this.#worker = undefined;
    await worker.terminate();
    return undefined;
  }
}

const thread = new ChoiceThread();

interface Answer {
  readonly chosen: boolean;
  /** In the monotonic time of this process; absent if it never ends, because equal questions have equal answers. */
  readonly untilMs?: number;
}

const answers = new Map<string, Answer>();
const mostAnswers = 10_000;

/** How long a question without an answer in time matches no identity before it is repeated. */
const unansweredRetryMs = 60_000;

/**
 * Evaluates the matchers of all groups for an identity before its request is handled, because expressions run in a
 * thread, and a transaction cannot wait.
 */
export function prepareChoices(platform: Platform, caller: Caller): Promise<void> {
  const { store } = platform;
  return Slices.of({ caller: caller.link }, async (slices) => {
    const { identity, names } = await store.read((tx) => {
      const ref = parseLink(caller.link, { org: platform.org })?.ref;
      const row = ref === undefined ? undefined : findRow(tx, ref);
      return {
        identity: row === undefined ? undefined : targetOf({ platform, tx }, row).candidate(true).fields,
        names: dynamicGroups(tx),
      };
    });
    if (identity === undefined) return;
    for (let at = 0; at < names.length; at += groupsInSlice) {
      await slices.rest();
      const some = names.slice(at, at + groupsInSlice);
      const groups = await store.read((tx) => tx.select({ kind: 'group', names: some, limit: some.length }));
      for (const { record } of groups) await prepareAnswer(matcherOf(record), identity);
    }
  });
}

const groupsInSlice = 50;

async function prepareAnswer(matcher: IdentityMatcher | undefined, identity: JsonObject): Promise<void> {
  if (matcher === undefined) return;
  const key = keyOf(matcher, identity);
  const known = answers.get(key);
  if (known !== undefined && (known.untilMs === undefined || performance.now() < known.untilMs)) return;
  const chosen = await thread.ask({ ...matcher, record: JSON.stringify(identity) });
  if (answers.size >= mostAnswers) answers.clear();
  answers.set(
    key,
    chosen === undefined ? { chosen: false, untilMs: performance.now() + unansweredRetryMs } : { chosen },
  );
}

/** When the next unanswered question may be repeated. Until then no answer changes by itself. */
export function answersValidUntilMs(): number {
  const now = performance.now();
  let earliest = Number.POSITIVE_INFINITY;
  for (const { untilMs = earliest } of answers.values()) if (untilMs > now) earliest = Math.min(earliest, untilMs);
  return earliest;
}

/** Throws 503 if the group or the identity has changed since the question was prepared; a retry succeeds. */
export function matchesIdentity(matcher: IdentityMatcher, identity: JsonObject): boolean {
  const answer = answers.get(keyOf(matcher, identity));
  if (answer !== undefined) return answer.chosen;
  throw new ApiFailure(503, 'the groups of the identity have just changed; try again', {
    headers: { 'retry-after': '1' },
  });
}

function keyOf({ language, expression }: IdentityMatcher, identity: JsonObject): string {
  return createHash('sha256')
    .update(JSON.stringify([language, expression, identity]))
    .digest('base64url');
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(workerFile('choiceWorker', new URL('./choiceWorker.ts', import.meta.url)));
  // The thread has no state, so the process need not wait for it.
  worker.unref();
  const loaded = await firstMessage(
    worker,
    undefined,
    (message: unknown) => message === readyMessage,
    () => undefined,
  );
  if (loaded !== undefined) return worker;
  await worker.terminate();
  throw new Error('the thread for expressions does not start');
}

/**
 * Returns the thread's remaining processor time in ms, counted from now; always 0 in Node before 24.6, which cannot
 * measure.
 */
function cpuTimeLeft(worker: Worker): () => Promise<number> {
  if (!('cpuUsage' in worker)) return async () => 0;
  const before = worker.cpuUsage();
  return async () => {
    const { user, system } = await worker.cpuUsage(await before);
    return cpuLimitMs - (user + system) / 1_000;
  };
}

/**
 * Undefined if no message comes in time or the thread ends. `remainingMs` is called after `cpuLimitMs`, then after the time it
 * returns.
 */
function firstMessage<T>(
  worker: Worker,
  remainingMs: (() => Promise<number>) | undefined,
  isExpected: (message: T) => boolean,
  send: () => void,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    let isOver = false;
    let checkTimer: NodeJS.Timeout | undefined;
    const deadlineTimer = setTimeout(giveUp, answerTimeoutMs);
    if (remainingMs !== undefined) checkIn(cpuLimitMs, remainingMs);
    function checkIn(ms: number, remaining: () => Promise<number>): void {
      if (isOver) return;
      if (ms <= 0) giveUp();
      else checkTimer = setTimeout(() => remaining().then((more) => checkIn(more, remaining), fail), ms);
    }
    // This thread may have been busy past the limit, so an answer that came in time may still be unread.
    function giveUp(): void {
      setImmediate(end, undefined);
    }
    function end(message: T | undefined): void {
      isOver = true;
      clearTimeout(deadlineTimer);
      clearTimeout(checkTimer);
      worker.off('message', listen);
      worker.off('error', fail);
      worker.off('exit', fail);
      resolve(message);
    }
    function listen(message: T): void {
      if (isExpected(message)) end(message);
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
