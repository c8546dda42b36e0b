import { Pool } from 'undici';
import { isObject, type JsonObject } from '../../src/base/json/json.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
  /** Empty if the answer is not a JSON object. */
  readonly body: JsonObject;
}

/** Sends raw requests with a token; a request that takes longer than `patienceMs` fails. */
export class Wire {
  readonly #pool: Pool;
  readonly #token: string;

  constructor(url: string, token: string, patienceMs = 60_000) {
    this.#pool = new Pool(url, { connections: 8, headersTimeout: patienceMs, bodyTimeout: patienceMs });
    this.#token = token;
  }

  async send({ method, path, body }: Sent): Promise<Answered> {
    const headers = { authorization: this.#token, 'content-type': 'application/json' };
    const answer = await this.#pool.request({ method: method as 'GET', path, headers, body: body ?? null }); // Any method may be sent.
    const text = await answer.body.text();
    const { location } = answer.headers;
    return {
      status: answer.statusCode,
      location: typeof location === 'string' ? location : undefined,
      text,
      body: objectIn(text),
    };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function objectIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {}; // Prometheus text, HCL and pages are not JSON.
  }
}
