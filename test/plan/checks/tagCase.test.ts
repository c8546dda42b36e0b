import { expect, test } from 'vitest';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import { changeOf, codes, declare, live, plan, snapshot } from '../world.ts';

const tagged = (key: string) => [declare('group/g', { tags: { [key]: '1' } })];
const known = { capabilities: new Capabilities([['value.tag-case', 'otherwise']]) };

test('a tag key with capital letters is refused on a platform known to lower them', () => {
  expect(codes(plan(tagged('Tier'), snapshot([], known)))).toEqual(['plan.tag-case']);
  expect(codes(plan(tagged('Tier'), snapshot([live('group/g')], known)))).toEqual(['plan.tag-case']);
});

test('several are named in order', () => {
  const made = plan([declare('group/g', { tags: { Zone: '1', plain: '1', Area: '1' } })], snapshot([], known));
  expect(changeOf(made, 'group/g').refusals[0]?.message).toMatch(/Area, Zone(?!.*plain)/);
});

test('nothing is refused if that is unknown or the key is in lower case', () => {
  expect(codes(plan(tagged('Tier'), snapshot([])))).toEqual([]);
  expect(codes(plan(tagged('tier'), snapshot([], known)))).toEqual([]);
});
