import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { Change } from '../../src/plan/model/change.ts';
import { makeReplan } from '../../src/plan/replan.ts';
import { declare, live, options, snapshot } from './world.ts';

const declared = declare('gvc/g', { description: 'new' });
const before = live('gvc/g', { description: 'old' });

function replan(now: LiveResource): Change | undefined {
  return makeReplan([declared], snapshot([before]), options)(now.id, now);
}

function patchOf(change: Change | undefined): JsonObject | undefined {
  return change?.patch?.expose();
}

describe('one resource planned again from its current live record', () => {
  test('has the same patch with the new pin if another field changed', () => {
    const now = live('gvc/g', { description: 'old', alias: 'other' }, { version: 4, applied: { version: 1 } });
    expect(patchOf(replan(now))).toMatchObject({ id: 'uid-gvc/g', version: 4, description: 'new' });
  });

  test('has no patch if the desired value exists', () => {
    expect(replan(live('gvc/g', { description: 'new' }, { version: 2 }))).toBeUndefined();
  });

  test('has another patch if more fields differ', () => {
    const now = live('gvc/g', { description: 'old', tags: { a: '1' } }, { version: 2, applied: { tagKeys: ['a'] } });
    expect(patchOf(replan(now))).toMatchObject({ tags: { $drop: ['a'] } });
  });

  test('still has a removal if the planned record shows that nothing else set the value since', () => {
    const was = live('gvc/g', { description: 'old', tags: { a: '1' } });
    const now = live(
      'gvc/g',
      { description: 'theirs', tags: { a: '1' } },
      { version: 2, applied: { version: 1, tagKeys: ['a'] } },
    );
    const again = makeReplan([declared], snapshot([was]), options);
    expect(patchOf(again(now.id, now))).toMatchObject({ description: 'new', tags: { $drop: ['a'] } });
    const another = { ...now, uid: 'again' };
    expect(patchOf(again(now.id, another))?.['tags']).not.toHaveProperty('$drop');
  });

  test('is refused if the record now belongs to another stack', () => {
    expect(replan(live('gvc/g', {}, { owner: 'other' }))).toMatchObject({ action: 'refuse', intended: 'adopt' });
  });

  test('has no patch for a released record that lost its tags', () => {
    const audit = live('auditctx/a');
    const again = makeReplan([], snapshot([audit]), options);
    expect(again('auditctx/a', audit)).toMatchObject({ action: 'forget' });
    expect(again('auditctx/a', live('auditctx/a', {}, { owner: null, applied: null, version: 2 }))).toBeUndefined();
  });
});

test('many resources planned again build the snapshot index once, and each sees the others unchanged', () => {
  let walks = 0;
  class Counted extends Map<string, LiveResource> {
    override [Symbol.iterator](): MapIterator<[string, LiveResource]> {
      walks += 1;
      return super[Symbol.iterator]();
    }
    override values(): MapIterator<LiveResource> {
      walks += 1;
      return super.values();
    }
  }
  const ids = Array.from({ length: 20 }, (_, index) => `group/g${index}`);
  const desired = ids.map((id) => declare(id, { description: 'new' }));
  const whole = snapshot(ids.map((id) => live(id, { description: 'old' })));
  const again = makeReplan(desired, { ...whole, resources: new Counted([...whole.resources]) }, options);
  walks = 0;
  for (const id of ids) expect(again(id, live(id, { description: 'new' }, { version: 2 }))).toBeUndefined();
  for (const id of ids)
    expect(patchOf(again(id, live(id, { description: 'old' }, { version: 3 })))?.['version']).toBe(3);
  expect(walks).toBe(1);
});
