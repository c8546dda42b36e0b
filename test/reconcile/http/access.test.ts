import { describe, expect, test } from 'vitest';
import {
  actRefusal,
  callerOf,
  foreignRefusal,
  type Guard,
  type KnownToken,
  type RequestFacts,
} from '../../../src/reconcile/http/access.ts';

const tokens: readonly KnownToken[] = [
  { name: 'ann', role: 'approve', sha256: 'a'.repeat(64) },
  { name: 'bob', role: 'read', sha256: 'b'.repeat(64) },
];
const local: Guard = { tokens, onLoopback: true };
const open: Guard = { tokens, onLoopback: false };

describe('the caller', () => {
  test.each([
    { it: 'reads without a token on loopback', guard: local, digest: undefined, is: { role: 'read' } },
    { it: 'is refused without a token elsewhere', guard: open, digest: undefined, is: { status: 401 } },
    { it: 'a known token', guard: open, digest: 'a'.repeat(64), is: { name: 'ann', role: 'approve' } },
    { it: 'an unknown token', guard: open, digest: 'c'.repeat(64), is: { status: 401 } },
    { it: 'an unknown token on loopback', guard: local, digest: 'c'.repeat(64), is: { status: 401 } },
  ])('$it', ({ guard, digest, is }) => {
    expect(callerOf(guard, { digest })).toMatchObject(is);
  });

  test('is the person who has signed in, unless a token says otherwise', () => {
    const person = { name: 'ann@example.com', role: 'read', person: 'issuer ann' } as const;
    expect(callerOf(open, { digest: undefined, person })).toBe(person);
    expect(callerOf(local, { digest: undefined, person })).toBe(person);
    expect(callerOf(open, { digest: 'a'.repeat(64), person })).toEqual({ name: 'ann', role: 'approve' });
    expect(callerOf(open, { digest: 'c'.repeat(64), person })).toMatchObject({ status: 401 });
  });

  test('with a personal token is the same person as by sign-in, unless sign-in is off', () => {
    const known = [{ name: 'ci', role: 'approve', sha256: 'd'.repeat(64), subject: 'ann' }] as const;
    const caller = callerOf({ ...open, tokens: known, issuer: 'https://login.example/' }, { digest: 'd'.repeat(64) });
    expect(caller).toEqual({ name: 'ci', role: 'approve', person: 'https://login.example/ ann' });
    expect(caller).not.toHaveProperty('hasSession');
    expect(callerOf({ ...open, tokens: known }, { digest: 'd'.repeat(64) })).toEqual({ name: 'ci', role: 'approve' });
  });

  test('who is a person can act only in a request with an origin', () => {
    const person = { name: 'ann@example.com', role: 'approve', person: 'issuer ann', hasSession: true } as const;
    expect(actRefusal(person, { origin: undefined })?.code).toBe('reconcile.foreign');
    expect(actRefusal(person, { origin: 'https://fleet.example' })).toBeUndefined();
  });

  test.each([
    { it: 'a caller without a token', caller: { role: 'read' } as const, status: 401 },
    { it: 'a reader', caller: { name: 'bob', role: 'read' } as const, status: 403 },
    { it: 'an approver', caller: { name: 'ann', role: 'approve' } as const, status: undefined },
  ])('$it may act: $status', ({ caller, status }) => {
    expect(actRefusal(caller, { origin: undefined })?.status).toBe(status);
  });
});

describe('a request from elsewhere', () => {
  const asked: RequestFacts = {
    ...{ method: 'GET', host: '127.0.0.1:4481', origin: undefined, fetchSite: undefined },
    ...{ fetchMode: undefined, contentType: undefined, digest: undefined, isPage: false },
  };
  const post = { method: 'POST', contentType: 'application/json' };
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a program', guard: local, more: {}, code: undefined },
      { it: 'a program that writes', guard: local, more: post, code: undefined },
      { it: 'another name for loopback (DNS rebinding)', guard: local, more: { host: 'evil.example' },
        code: 'foreign' },
      { it: 'no host', guard: open, more: { host: undefined }, code: 'foreign' },
      { it: 'a host name, not on loopback', guard: open, more: { host: 'fleet.example' }, code: undefined },
      { it: 'a page of another origin', guard: open,
        more: { ...post, host: 'fleet.example', origin: 'https://evil.example' }, code: 'foreign' },
      { it: "the worker's own page behind TLS", guard: open, more: { ...post, host: 'fleet.example',
        origin: 'https://fleet.example', fetchSite: 'same-origin' }, code: undefined },
      { it: 'another port of this machine', guard: local, more: { ...post, origin: 'http://127.0.0.1:1' },
        code: 'foreign' },
      { it: 'a page without an origin', guard: local, more: { ...post, origin: 'null' }, code: 'foreign' },
      { it: 'a page of another site', guard: local, more: { ...post, fetchSite: 'cross-site' }, code: 'foreign' },
      { it: 'a page of the same site', guard: open, more: { ...post, fetchSite: 'same-site' }, code: 'foreign' },
      { it: 'a link from elsewhere to the page', guard: open, more: { fetchSite: 'cross-site' }, code: undefined },
      { it: 'a link from elsewhere, such as an issuer, to the page on loopback', guard: local,
        more: { fetchSite: 'cross-site', fetchMode: 'navigate', isPage: true }, code: undefined },
      { it: 'a page elsewhere that loads the page on loopback as a script', guard: local,
        more: { fetchSite: 'cross-site', fetchMode: 'no-cors', isPage: true }, code: 'foreign' },
      { it: 'a link from elsewhere to data of stacks on loopback', guard: local,
        more: { fetchSite: 'cross-site', fetchMode: 'navigate' }, code: 'foreign' },
      { it: 'a form', guard: local, more: { ...post, contentType: 'text/plain' }, code: 'json' },
      { it: 'a write without a content type', guard: local, more: { method: 'POST' }, code: 'json' },
    ],
  )('$it', ({ guard, more, code }) => {
    expect(foreignRefusal(guard, { ...asked, ...more })?.code).toBe(
      code === undefined ? undefined : `reconcile.${code}`,
    );
  });
});
