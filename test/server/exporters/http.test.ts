import { expect, test } from 'vitest';
import { isObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { platformForAll } from '../platform.ts';

const platform = platformForAll({}, async (platform) => {
  await platform.send('POST', 'gvc', { name: 'shop', description: 'it is "ours"' });
  await platform.send('POST', 'gvc/shop/identity', { name: 'main' });
  await platform.send('POST', 'secret', { name: 'key', type: 'opaque', data: { payload: 'hunter2' } });
});

async function exported(exporter: string, self: string): Promise<Response> {
  const { body } = await platform.send('GET', '/discovery');
  const url = stringAt(objectAt(body, 'endpoints'), exporter) ?? '';
  return fetch(url + self, { headers: { authorization: 'Bearer secret-token' } });
}

test.each([
  ['/org/local/gvc/shop', 'resource "gantry_gvc" "shop" {', 'description = "it is \\"ours\\""'],
  ['/org/local/gvc/shop/identity/main', 'resource "gantry_identity" "shop_main" {', '"shop"'],
  ['/org/local/gvc/shop/identity', 'resource "gantry_identity" "shop_main" {', '"shop"'],
  ['/org/local/identity', 'resource "gantry_identity" "shop_main" {', '"shop"'],
  ['/org/local/secret/key', 'resource "gantry_secret" "key" {', 'type        = "opaque"'],
  ['/org/local/secret', 'resource "gantry_secret" "key" {', 'to = gantry_secret.key'],
  [
    '/org/local/location/aws-us-east-1',
    'resource "gantry_location" "aws_us_east_1" {',
    'name        = "aws-us-east-1"',
  ],
  ['/org/local', 'data "gantry_org" "local" {', 'name = "local"'],
])('tf of %s is text (platform/wire.discovery, platform/clients.output)', async (self, ...parts) => {
  const response = await exported('terraform-exporter', self);
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  for (const part of parts) expect(text).toContain(part);
  expect(text).not.toContain('hunter2');
});

test.each(['/org/local/gvc/shop', '/org/local/gvc/shop/identity/main', '/org/local/secret/key', '/org/local'])(
  'crd of %s is one object (platform/wire.discovery)',
  async (self) => {
    const body: unknown = await (await exported('k8s-crd-exporter', self)).json();
    expect(body).toMatchObject({
      apiVersion: 'scheme/v1',
      kind: expect.any(String),
      metadata: { name: self.split('/').at(-1) },
      spec: expect.any(Object),
    });
    expect(JSON.stringify(body)).not.toContain('hunter2');
  },
);

test('crd of a collection is a list (platform/wire.discovery)', async () => {
  const body: unknown = await (await exported('k8s-crd-exporter', '/org/local/gvc')).json();
  expect(isObject(body) ? [body['kind'], listAt(body, 'items').length] : body).toEqual(['list', 1]);
});

test.each([
  ['/org/local/gvc/none', 404],
  ['/org/other/gvc/shop', 404],
  ['/org/local/gvc/none/identity', 404],
  ['/org/local/nope', 404],
  ['/org/local/gvc/%2e%2e/none', 404],
  ['', 404],
])('a missing record or address cannot be exported: %j', async (self, status) => {
  for (const exporter of ['terraform-exporter', 'k8s-crd-exporter']) {
    const response = await exported(exporter, self);
    expect([response.status, await response.json()]).toMatchObject([status, { status, id: expect.any(String) }]);
  }
});
