import { expect, test } from 'vitest';
import { type Risk, worse } from '../../../src/schema/facts/risk.ts';
import { type RiskFact, worstOf } from '../../../src/schema/facts/riskFacts.ts';

test.each<[Risk, Risk, Risk]>([
  ['none', 'metadata', 'metadata'],
  ['data-loss', 'downtime', 'data-loss'],
  ['cost-up', 'endpoint-change', 'endpoint-change'],
  ['exposure', 'exposure', 'exposure'],
])('of %s and %s, %s is worse', (a, b, worst) => {
  expect([worse(a, b), worse(b, a)]).toEqual([worst, worst]);
});

test.each<[RiskFact, Risk]>([
  ['downtime', 'downtime'],
  [{ more: 'cost-up', less: 'capacity-down' }, 'capacity-down'],
  [{ more: 'exposure', less: 'endpoint-change' }, 'exposure'],
  [{ more: 'cost-up', less: 'capacity-down', toNothing: 'downtime' }, 'downtime'],
  [{ more: 'rolling-restart', less: 'none', changed: 'endpoint-change' }, 'endpoint-change'],
  [{ more: 'none', less: 'none', whenCreated: 'exposure' }, 'none'],
])('the worst of %j is %s, whatever the direction of a change', (fact, worst) => {
  expect(worstOf(fact)).toBe(worst);
});
