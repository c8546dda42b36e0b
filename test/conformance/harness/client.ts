import { expect } from 'vitest';
import { isObject, type JsonObject, stringAt } from '../../../src/base/json/json.ts';
import { itemsAt } from './place.ts';
import type { Wire } from './wire.ts';

/** The ways in which public clients use answers: they read a new record at its Location, and follow links and pages. */

/** Creates a record; demands 201 with `Location`, and the record at that address. */
export async function creates(wire: Wire, collection: string, body: JsonObject): Promise<JsonObject> {
  const reply = await wire.call('POST', collection, body);
  expect(reply.status, reply.text).toBe(201);
  expect(reply.headers.get('location')).toBe(`/org/local/${collection}/${body['name']}`);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(Date.parse(reply.headers.get('date') ?? '')).toBeGreaterThan(0);
  expect(await wire.get(`${collection}/${body['name']}`)).toMatchObject({ id: reply.body['id'] ?? '', version: 1 });
  return reply.body;
}

/** The address of a link of the record or list; undefined if there is none. */
export function linked(record: JsonObject, rel: string): string | undefined {
  const link = itemsAt(record, 'links').find((each) => each['rel'] === rel);
  return link === undefined ? undefined : stringAt(link, 'href');
}

/** The records of all pages of a list or query. Each `next` is used unchanged (platform/wire.lists). */
export async function allPages(
  wire: Wire,
  method: string,
  path: string,
  body?: unknown,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  let page = await wire.ok(method, path, body);
  for (;;) {
    expect(page['links']).toEqual(expect.any(Array));
    expect(linked(page, 'self')).toMatch(/./);
    items.push(...itemsAt(page, 'items').filter(isObject));
    const next = linked(page, 'next');
    if (next === undefined) return items;
    page = await wire.get(next);
    expect(page['kind']).toBe('list');
  }
}
