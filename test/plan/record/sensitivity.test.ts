import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { maskSensitive } from '../../../src/patch/fieldChanges.ts';
import { bodiesOf, sensitivityOfLive } from '../../../src/plan/record/shapeFacts.ts';
import { changeOf, declare, live, plan } from '../world.ts';

const mask = { sensitive: true };
const env = (value: string): JsonObject => ({ spec: { env: [{ name: 'TOKEN', value }] } });
const marked = declare('gvc/g', env('n3xt'), { sensitive: ['spec.env.TOKEN.value'] });
const plain = declare('gvc/g', env('n3xt'));

test('a live record is masked according to its declaration, or without one to the schema', () => {
  const { ref, record } = live('gvc/g', env('h3ld'));
  const shown = (declared: typeof marked | undefined) =>
    maskSensitive(sensitivityOfLive(ref, declared, record), record)['spec'];
  expect(shown(marked)).toEqual({ env: [{ name: 'TOKEN', value: mask }] });
  expect([shown(plain), shown(undefined)]).toEqual([record['spec'], record['spec']]);
  const secret = live('secret/key', { type: 'opaque', data: { payload: 'x' } });
  expect(maskSensitive(sensitivityOfLive(secret.ref, undefined, secret.record), secret.record)['data']).toEqual(mask);
});

test('a mark on all tags hides each of them in a plan, however short it is', () => {
  const team = (value: string): JsonObject => ({ tags: { team: value } });
  const change = changeOf(
    plan([declare('group/a', team('n3xt'), { sensitive: ['tags'] })], [live('group/a', team('h3ld'))]),
    'group/a',
  );
  const hidden = { ...mask, changed: true };
  expect(change.fields).toEqual([expect.objectContaining({ path: 'tags.team', old: hidden, new: hidden })]);
});

test.each([
  { it: 'marked values of both sides', resource: marked, before: env('h3ld'), hidden: ['h3ld', 'n3xt'] },
  { it: 'marked values, without a live record', resource: marked, before: undefined, hidden: ['n3xt'] },
  { it: 'nothing without marks', resource: plain, before: env('h3ld'), hidden: [] },
])('values that a message about a body must not contain: $it', ({ resource, before, hidden }) => {
  expect([...bodiesOf(resource, before)(resource.record).hiddenTexts()].sort()).toEqual(hidden);
});
