import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { isObject, type JsonObject } from '../../../src/schema/json/json.ts';
import { expectRefusalForm } from '../refusal.ts';

/** An answer as a client on the wire sees it. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty where the body is no object. */
  readonly body: JsonObject;
}

export type Send = (method: string, path: string, body?: unknown) => Promise<WireAnswer>;

/** Requests as the public command-line client sends them (platform/wire.headers): nothing of ours in between. */
export function publicClient(url: string, authorization = 'Bearer secret-token'): Send {
  return async (method, path, body) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const headers = { authorization, 'x-scheme-session': randomUUID(), ...type };
    const response = await fetch(url + path, { method, headers, ...sent });
    const text = await response.text();
    const value: unknown = response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, text, body: isObject(value) ? value : {} };
  };
}

/** The body of every refusal (platform/errors.body, platform/errors.statuses). */
export function expectRefusal(answer: WireAnswer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expectRefusalForm(status, answer.body);
}
