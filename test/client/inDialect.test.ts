import { expect, test } from 'vitest';
import { inDialect } from '../../src/client/client.ts';
import type { Answer } from '../../src/client/http/answer.ts';
import type { Exchange, Request } from '../../src/client/http/exchange.ts';
import { dialect } from '../dialect/invented.ts';

function exchangeWith(answer: Partial<Answer>): { readonly exchange: Exchange; readonly sent: Request[] } {
  const sent: Request[] = [];
  const inner: Exchange = {
    async send(request) {
      sent.push(request);
      return { status: 200, body: undefined, retryAfter: '3', date: 'today', ...answer };
    },
    close: () => Promise.resolve(),
  };
  return { exchange: inDialect(inner, dialect), sent };
}

test("requests are sent in the platform's words, and answers are returned in neutral ones", async () => {
  const { exchange, sent } = exchangeWith({ body: { kind: 'gvc', spec: { sidecar: { sluice: {} } } } });
  const answer = await exchange.send({
    method: 'PATCH',
    path: '/org/o/gvc/g',
    body: { tags: { 'scheme/protected': null } },
    hidden: ['geheim'],
  });
  expect(sent).toEqual([
    { method: 'PATCH', path: '/org/o/gvc/g', body: { tags: { 'quay/protected': null } }, hidden: ['geheim'] },
  ]);
  expect(answer).toEqual({
    status: 200,
    body: { kind: 'gvc', spec: { sidecar: { proxy: {} } } },
    retryAfter: '3',
    date: 'today',
  });
});

test('addresses are translated, also of next pages', async () => {
  const next = [{ rel: 'next', href: '/org/o/auditctx/quay/-eventlog?next=x' }];
  const { exchange, sent } = exchangeWith({ body: { kind: 'list', items: [], links: next } });
  const { body } = await exchange.send({ method: 'GET', path: '/org/o/auditctx/scheme/-eventlog' });
  expect(sent[0]?.path).toBe('/org/o/auditctx/quay/-eventlog');
  expect(body).toMatchObject({ links: [{ href: '/org/o/auditctx/scheme/-eventlog?next=x' }] });
});

test('a refusal is shown in neutral words', async () => {
  const detail = { path: 'spec.env.QUAY_A.name', message: 'QUAY_ is reserved' };
  const { exchange } = exchangeWith({
    status: 400,
    body: { message: 'spec.env.QUAY_A.name: QUAY_ is reserved', details: { problems: [detail] } },
  });
  const { body } = await exchange.send({ method: 'POST', path: '/org/o/gvc', body: {} });
  expect(body).toEqual({
    message: 'spec.env.SCHEME_A.name: SCHEME_ is reserved',
    details: { problems: [{ path: 'spec.env.SCHEME_A.name', message: 'SCHEME_ is reserved' }] },
  });
});

test('an empty answer stays empty', async () => {
  const { exchange } = exchangeWith({ body: undefined });
  expect((await exchange.send({ method: 'DELETE', path: '/org/o/gvc/g' })).body).toBeUndefined();
});
