import { describe, expect, test } from 'vitest';
import type { Limits } from '../../src/plan/model/limits.ts';
import { objectionWithoutKeys } from '../../src/signing/checkSignatures.ts';
import { requiredSignatures, requireSignatures } from '../../src/signing/requiredApprovals.ts';
import type { Statement } from '../../src/signing/statement.ts';

const limitsAt = (environment: string, limits: Omit<Limits, 'at'>): Limits => ({
  at: `environments.${environment}.limits`,
  ...limits,
});

describe('several limits that require approvals', () => {
  const one = limitsAt('dev', { approvals: 1 });
  const three = limitsAt('prod', { approvals: 3 });
  const none = limitsAt('test', { maxDeletes: 0 });

  test.each([
    ['the highest number last', [none, one, three]],
    ['the highest number first', [three, one, none]],
  ])('demand the highest number, and that limit is named: %s', (_, limits) => {
    expect(requiredSignatures({ trust: {}, limits })).toEqual({
      signature: false,
      approvals: 3,
      by: { approval: 'gantry.yaml: environments.prod.limits.approvals' },
    });
  });

  test.each([
    {
      what: 'a limit',
      given: { trust: {}, limits: [limitsAt('prod', { signature: 'required' })] },
      plan: 'gantry.yaml: environments.prod.limits.signature',
    },
    { what: 'the settings', given: { trust: {}, signers: [{ plan: 'keys' }] }, plan: 'gantry.yaml: signers.plan' },
    { what: 'an option', given: { trust: { signedBy: 'keys' } }, plan: '--signed-by keys' },
  ])('a required signature names its origin: $what', ({ given, plan }) => {
    expect(requiredSignatures(given)).toEqual({ signature: true, approvals: 0, by: { plan } });
    expect(() => requireSignatures([], requiredSignatures(given))).toThrow(`${plan}: this plan is not signed`);
  });

  test('trusted keys of approvers require one approval, but never fewer than a limit', () => {
    expect(requiredSignatures({ trust: { approvedBy: 'keys' } }).approvals).toBe(1);
    expect(requiredSignatures({ trust: { approvedBy: 'keys' }, limits: [three] }).approvals).toBe(3);
    expect(requiredSignatures({ trust: {}, limits: [none] }).approvals).toBe(0);
  });
});

describe('a signature', () => {
  const plan = { sha256: 'ab', bytes: 2 };
  const statement: Statement = {
    gantry: 'plan-signature',
    formatVersion: 1,
    role: 'plan',
    key: 'SHA256:key',
    plan,
    target: { org: 'acme', stack: 'shop', endpoints: ['https://api.example.com'] },
    signedAt: '2026-11-24T10:00:00.000Z',
    expiresAt: '2026-11-25T10:00:00.000Z',
  };
  const why = (now: string): string | undefined =>
    objectionWithoutKeys(statement, { plan, nowMs: Date.parse(now) })?.why;

  test('is valid until the last millisecond before it expires', () => {
    expect(why('2026-11-25T09:59:59.999Z')).toBeUndefined();
    expect(why('2026-11-25T10:00:00.000Z')).toBe('expired');
  });

  test('with a date in the future is valid within five minutes, because clocks differ', () => {
    expect(why('2026-11-24T09:55:00.000Z')).toBeUndefined();
    expect(why('2026-11-24T09:54:59.999Z')).toBe('early');
  });

  test('is valid only for the plan with exactly these bytes', () => {
    const at = { nowMs: Date.parse('2026-11-24T11:00:00Z') };
    expect(objectionWithoutKeys(statement, { plan: { ...plan, sha256: 'cd' }, ...at })?.why).toBe('other-plan');
    expect(objectionWithoutKeys(statement, { plan: { ...plan, bytes: 3 }, ...at })?.why).toBe('other-plan');
  });
});
