import { request } from 'node:http';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { objectIn } from '../refusal.ts';

export interface Asked {
  readonly method?: string;
  readonly path: string;
  /** The only headers that are sent, except the length of a body. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly body: JsonObject;
}

/** Sends one request with exactly these headers; even `Host` is only sent if given. */
export function asked(url: string, { method = 'GET', path, headers = {}, body }: Asked): Promise<RawAnswer> {
  const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
  return new Promise((resolve, reject) => {
    const options = { method, setHost: false, headers: { ...headers, ...length }, agent: false };
    const sent = request(url + path, options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: objectIn(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
