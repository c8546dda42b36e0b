import { expect, test } from 'vitest';
import { neutralWordsIn } from '../harness/neutralWords.ts';

function heardIn(body: unknown): readonly string[] {
  return neutralWordsIn({ address: '', headers: [], body: JSON.stringify(body) });
}

test.each([
  ['a key', { spec: { sidecar: { proxy: {} } } }],
  ['a part of a key', { a: [{ vendor_grpc: {} }] }],
  ['a name without a word', { provider: { controlplane: {} } }],
  ['the scheme of a URI', { env: [{ name: 'A', value: 'scheme://secret/x' }] }],
  ['a reserved tag', { tags: { 'scheme/protected': true } }],
  ['a type', { '@type': 'type.example.com/proxy.A' }],
  ['a reserved variable', { name: 'SCHEME_A' }],
  ['a link', { href: '/org/o/auditctx/scheme' }],
  ['a URI in prose', { message: 'must be scheme://secret/x' }],
  ['a field of that name with another value', { scheme: 'x' }],
])('the wiretap reports %s', (_, body) => {
  expect(heardIn(body)).toHaveLength(1);
});

test('the wiretap reports addresses and headers', () => {
  const message = { address: '/audit/org/o?contextName=%73cheme', headers: ['x-scheme-a', 'date'], body: '' };
  expect(neutralWordsIn(message)).toEqual(['header x-scheme-a', `address ${message.address}`]);
});

test.each([
  ['fields of the platform that are named scheme', { httpGet: { scheme: 'HTTPS' }, ports: [{ scheme: 'tcp' }] }],
  ['prose', { message: 'the user 1337 bypasses the proxy' }],
  ['names that the scenarios choose', { resource: 'vendor.example.com/accelerator', l: '//secret/tracer-token' }],
])('the wiretap ignores %s', (_, body) => {
  expect(heardIn(body)).toEqual([]);
});
