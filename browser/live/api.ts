import { isObject, type JsonObject, listAt, stringAt } from '../../src/base/json/json.ts';

/** The token is missing, or no longer valid. */
export class SignInNeeded extends Error {}

/** The server has answered, and refused. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Why a server has refused. */
export async function failureOf(answer: Response): Promise<Error> {
  const body: unknown = await answer.json().catch(() => ({}));
  const said = isObject(body) ? body : {};
  if (answer.status === 401) return new SignInNeeded();
  return new Refused(answer.status, stringAt(said, 'message') ?? `the answer is ${answer.status}`);
}

/** A part of a list, and whether there is more. */
export interface Items {
  readonly items: readonly JsonObject[];
  readonly more: boolean;
}

/** The server of this page. It is only read: the only method is GET. */
export class Api {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  /** Errors: `SignInNeeded`, `Refused`; a `TypeError` of `fetch` if the server cannot be reached. */
  async get(path: string, signal: AbortSignal | null = null): Promise<JsonObject> {
    const headers = this.#token === '' ? {} : { authorization: this.#token };
    const answer = await fetch(path, { headers, signal, cache: 'no-store', credentials: 'same-origin' });
    if (!answer.ok) throw await failureOf(answer);
    const body: unknown = await answer.json();
    return isObject(body) ? body : {};
  }

  async list(path: string, signal: AbortSignal, limit = 1000): Promise<Items> {
    const body = await this.get(`${path}?limit=${limit}`, signal);
    const more = listAt(body, 'links').some((link) => isObject(link) && link['rel'] === 'next');
    return { items: listAt(body, 'items').filter(isObject), more };
  }
}
