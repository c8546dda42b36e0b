import { setTimeout as passes } from 'node:timers/promises';
import { ask, type Said } from './servers.ts';
import type { Send, Told } from './told.ts';

const pauseMs = 20;
const patienceMs = 30_000;

/** The client ended before it sent a request. */
export class Ended extends Error {}

/**
 * A client with a list of endpoints. If one does not answer, or answers that its database is unavailable, the client
 * repeats the request at the next one. As the first request may have taken effect, 409 for a repeated creation and
 * 404 for a repeated deletion count as success.
 */
export function askingAny(urls: readonly string[], first: number, told: Told, ends: () => boolean): Send {
  let at = first;
  return async (method, path, body) => {
    const startedMs = performance.now();
    let again = false;
    for (;;) {
      if (ends() && !again) throw new Ended();
      const said = await ask(urls[at % urls.length] ?? '', method, path, body).catch(() => undefined);
      if (said !== undefined && said.status !== 503) return again ? ofOurOwn(method, said) : said;
      if (performance.now() - startedMs > patienceMs) throw new Error(`nobody answers ${method} ${path}`);
      told.unanswered += 1;
      again = true;
      at += 1;
      await passes(pauseMs);
    }
  };
}

function ofOurOwn(method: string, said: Said): Said {
  if (method === 'POST' && said.status === 409) return { ...said, status: 201 };
  return method === 'DELETE' && said.status === 404 ? { ...said, status: 202 } : said;
}
