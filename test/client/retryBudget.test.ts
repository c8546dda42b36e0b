import { expect, test } from 'vitest';
import { RetryBudget } from '../../src/client/http/retryPolicy.ts';

test('16 failures without an answer between them are an outage', () => {
  const budget = new RetryBudget(1);
  for (let failure = 0; failure < 15; failure += 1) budget.note(true);
  expect(budget.isOutage).toBe(false);
  budget.note(true);
  expect(budget.isOutage).toBe(true);
  budget.note(false);
  expect(budget.isOutage).toBe(false);
});

test('after pauses of two minutes without a successful request, retrying ends', () => {
  const budget = new RetryBudget(1);
  budget.pause(100_000);
  budget.pause(19_999);
  expect(budget.isInVain).toBe(false);
  budget.pause(1);
  expect(budget.isInVain).toBe(true);
  budget.note(false);
  expect(budget.isInVain).toBe(false);
});
