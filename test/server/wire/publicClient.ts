import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { isObject, type JsonObject, listAt, own, stringAt } from '../../../src/schema/json/json.ts';
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

/** Where a link of the record leads. */
export function linked(record: JsonObject, rel: string): string {
  const link = listAt(record, 'links').find((item) => isObject(item) && own(item, 'rel') === rel);
  return isObject(link) ? (stringAt(link, 'href') ?? '') : '';
}

/** `create`: POST, then GET of the `Location` (platform/wire.operations). */
export async function created(send: Send, home: string, document: JsonObject): Promise<JsonObject> {
  const answer = await send('POST', home, document);
  expect(answer, answer.text).toMatchObject({ status: 201 });
  expect(answer.headers.get('location')).toBe(`${home}/${String(own(document, 'name'))}`);
  expect(Date.parse(answer.headers.get('date') ?? '')).toBeGreaterThan(0);
  return (await send('GET', answer.headers.get('location') ?? '')).body;
}

/** All pages: `next` is followed as it is (platform/wire.lists). */
export async function allPages(
  send: Send,
  method: string,
  path: string,
  body?: unknown,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  let page = await send(method, path, body);
  for (;;) {
    expect(page, page.text).toMatchObject({ status: 200, body: { links: expect.any(Array) } });
    expect(linked(page.body, 'self')).not.toBe('');
    items.push(...listAt(page.body, 'items').filter(isObject));
    const next = linked(page.body, 'next');
    if (next === '') return items;
    page = await send('GET', next);
    expect(page.body['kind']).toBe('list');
  }
}

/** The body of every refusal (platform/errors.body, platform/errors.statuses). */
export function expectRefusal(answer: WireAnswer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expectRefusalForm(status, answer.body);
}
