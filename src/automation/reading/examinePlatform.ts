import { type Examined, examine } from '../../capabilities/doctor/examination.ts';
import { readingRounds } from '../../capabilities/doctor/reading.ts';
import { type Question, type Seen, Survey } from '../../capabilities/doctor/survey.ts';
import { unknownOrg } from '../../client/fetchSnapshot.ts';
import { ApiError, wireError } from '../../client/http/apiError.ts';
import { retryAfterMs } from '../../client/http/retryPolicy.ts';
import type { Platform } from '../platform/platform.ts';

/** What a platform does of what is assumed. */
export interface Examination {
  readonly examined: readonly Examined[];
  /** How many seconds the clock of the platform is ahead of the one here; undefined: unknown. */
  readonly clockDifference: number | undefined;
  readonly requests: number;
}

/** Errors: those of a platform that cannot be reached, that refuses the token, or that does not know the org. */
export async function examinePlatform({ client }: Platform, unused: string): Promise<Examination> {
  const before = client.requests();
  const asker = new Asker(client);
  for (const round of readingRounds) {
    await asker.askAll(round(asker.survey(), unused));
    if (round === readingRounds[0]) refuseUseless(asker.survey());
  }
  return {
    examined: examine(asker.survey(), client.capabilities),
    clockDifference: asker.clockDifference,
    requests: client.requests() - before,
  };
}

/** At the same time. */
const most = 8;
/** Tries for one question, where the platform is too busy. */
const mostTries = 3;
const longestWaitMs = 5_000;

/** Sends questions and remembers the answers. What the platform answers is never an error. */
export class Asker {
  readonly #client: Platform['client'];
  readonly #answers = new Map<string, Seen>();
  #failure: unknown;
  clockDifference: number | undefined;

  constructor(client: Platform['client']) {
    this.#client = client;
  }

  survey(): Survey {
    return new Survey(this.#client.org, this.#answers);
  }

  /** Errors: there is no answer to any of the questions. */
  async askAll(questions: ReadonlyMap<string, Question>): Promise<void> {
    const waiting = [...questions];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await this.ask(...next);
    };
    await Promise.all(Array.from({ length: most }, work));
    const isSilent = [...questions.keys()].every((name) => this.#answers.get(name)?.status === 0);
    if (questions.size > 0 && isSilent) throw this.#failure;
  }

  async ask(name: string, question: Question): Promise<Seen> {
    const seen = await this.#send(question);
    this.#answers.set(name, seen);
    return seen;
  }

  async #send(question: Question): Promise<Seen> {
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

/** Where nothing can be found out, the reason is an error. */
function refuseUseless(survey: Survey): void {
  const [plain, query, org] = ['plain', 'query', 'org'].map((name) => survey.seen(name));
  if (plain?.status === 401 && query?.status === 401) {
    throw wireError(401, plain.body, `GET /org/${encodeURIComponent(survey.org)}/gvc`);
  }
  if ([plain, query, org].every((seen) => seen?.status === 404)) throw unknownOrg(survey.org);
}
