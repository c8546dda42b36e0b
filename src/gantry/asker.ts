import type { Question, Seen } from '../capabilities/survey.ts';
import { Survey } from '../capabilities/survey.ts';
import { ApiError } from '../client/http/apiError.ts';
import { retryAfterMs } from '../client/http/retryPolicy.ts';
import type { Platform } from '../project/platform/platform.ts';

/** Limit of concurrent requests. */
const mostAtOnce = 8;
/** Limit of tries per question, if the platform is too busy. */
const mostTries = 3;
const longestWaitMs = 5_000;

/** Sends questions and remembers the answers. No answer of the platform is an error. */
export class Asker {
  readonly #client: Platform['client'];
  readonly #answers = new Map<string, Seen>();
  #failure: unknown;
  clockDifference: number | undefined;

  /** Limits the delay of a read after a write, and the duration of a deletion. */
  readonly patienceMs: number;

  readonly #onAnswer: ((answered: number, asked: number) => void) | undefined;
  #asked = 0;

  constructor(client: Platform['client'], patienceMs = 10_000, onAnswer?: (answered: number, asked: number) => void) {
    this.#client = client;
    this.patienceMs = patienceMs;
    this.#onAnswer = onAnswer;
  }

  recordAnswer(name: string, seen: Seen): void {
    this.#answers.set(name, seen);
  }

  survey(): Survey {
    return new Survey(this.#client.org, this.#answers);
  }

  /** Stops early if the platform answers nothing. Errors: the failure, if none of the questions was answered. */
  async askAll(questions: ReadonlyMap<string, Question>): Promise<void> {
    const waiting = [...questions];
    this.#asked += questions.size;
    const isUnreachable = () =>
      this.#failure !== undefined && [...this.#answers.values()].every(({ status }) => status === 0);
    const work = async (): Promise<void> => {
      while (!isUnreachable()) {
        const next = waiting.shift();
        if (next === undefined) return;
        await this.ask(...next);
        this.#onAnswer?.(this.#answers.size, this.#asked);
      }
    };
    await Promise.all(Array.from({ length: mostAtOnce }, work));
    const isSilent = [...questions.keys()].every((name) => (this.#answers.get(name)?.status ?? 0) === 0);
    if (questions.size > 0 && isSilent) throw this.#failure;
  }

  async ask(name: string, question: Question): Promise<Seen> {
    const seen = await this.send(question);
    this.recordAnswer(name, seen);
    return seen;
  }

  /** Returns any status; 0 means no answer. */
  async send(question: Question): Promise<Seen> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { status, body, date, retryAfter } = await this.#client.ask(question);
        this.#noteClock(date);
        const isBusy = status === 429 || status === 503;
        const waitMs = retryAfterMs(retryAfter, date) ?? 500 * tries;
        if (!isBusy || tries === mostTries || waitMs > longestWaitMs) return { status, body };
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#failure = error;
        return { status: 0, body: undefined };
      }
    }
  }

  #noteClock(date: string | undefined): void {
    const at = Date.parse(date ?? '');
    if (!Number.isNaN(at)) this.clockDifference ??= Math.trunc((at - Date.now()) / 1000);
  }
}
