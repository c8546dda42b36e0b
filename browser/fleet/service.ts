import type { FleetFigures, Me, RunDetail, StackDetail, Told } from '../../src/reconcile/http/pageAnswers.ts';
import type { StackSummary } from '../../src/reconcile/model.ts';
import { failureOf } from '../live/api.ts';

/** The worker that serves this page. Its answers have the types of their sources, because both are in one build. */
export class Service {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  readonly me = (signal: AbortSignal): Promise<Me> => this.#get('/api/me', signal);
  readonly stacks = async (signal: AbortSignal): Promise<readonly StackSummary[]> =>
    (await this.#get<{ readonly items: readonly StackSummary[] }>('/api/stacks', signal)).items;
  readonly figures = (signal: AbortSignal): Promise<FleetFigures> => this.#get('/api/figures', signal);

  stack(name: string, signal: AbortSignal): Promise<StackDetail> {
    return this.#get(`/api/stacks/${encodeURIComponent(name)}`, signal);
  }

  run(id: string, signal: AbortSignal): Promise<RunDetail> {
    return this.#get(`/api/runs/${encodeURIComponent(id)}`, signal);
  }

  /** The saved plan in the format of `gantry approve`. */
  async planFile(stack: string, plan: string): Promise<string> {
    const path = `/api/plans/${encodeURIComponent(stack)}/${encodeURIComponent(plan)}`;
    return (await this.#get<{ readonly file: string }>(path, new AbortController().signal)).file;
  }

  /** Errors: `Refused`, with the objection. */
  async act(stack: string, action: 'approve' | 'now' | 'pause' | 'resume', body: object): Promise<void> {
    await this.#post(`/api/stacks/${encodeURIComponent(stack)}/${action}`, body);
  }

  /** Ends the session of this browser, which is in a cookie. `at`: where the issuer ends its own session. */
  signOut(): Promise<{ readonly at?: string }> {
    return this.#post('/api/sign-out', {});
  }

  /** Reports changes until the connection ends, or `signal` ends it. Errors: those of reading. */
  async follow(onTold: (told: Told) => void, signal: AbortSignal): Promise<void> {
    const answer = await fetch('/api/events', { headers: this.#headers, signal });
    if (!answer.ok || answer.body === null) throw await failureOf(answer);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (rest + part.value).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) if (event.startsWith('data: ')) onTold(JSON.parse(event.slice('data: '.length)));
    }
  }

  get #headers(): Readonly<Record<string, string>> {
    return this.#token === '' ? {} : { authorization: this.#token };
  }

  async #post<Answer>(path: string, body: object): Promise<Answer> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw await failureOf(answer);
    return answer.json();
  }

  async #get<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
    const answer = await fetch(path, { headers: this.#headers, signal, cache: 'no-store' });
    if (!answer.ok) throw await failureOf(answer);
    return answer.json();
  }
}
