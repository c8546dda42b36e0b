import { expect, test } from 'vitest';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { Trails, WriteEvent } from '../../../src/manifest/live/writer.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { replacingTag } from '../../../src/plan/record/replacementMark.ts';
import { withUnfinished } from '../../../src/plan/unfinishedReplacements.ts';
import { formatRef } from '../../../src/schema/record/ref.ts';
import { declare, foreign, live, owner, snapshot } from '../world.ts';

interface World {
  readonly desired: readonly DesiredResource[];
  readonly from?: readonly LiveResource[];
  readonly trails?: Readonly<Record<string, readonly WriteEvent[]>>;
  readonly unread?: boolean;
}

async function read({ desired, from = [], trails = {}, unread = false }: World) {
  const asked: string[] = [];
  const before = snapshot(from);
  const answer: Trails = { trails: new Map(Object.entries(trails)), unread, requests: 3 };
  const after = await withUnfinished(before, desired, owner, async (refs) => {
    asked.push(...refs.map(formatRef));
    return answer;
  });
  return { asked, before, after };
}

const marked = live('group/a', { tags: { [replacingTag]: owner } });
const write = (action: WriteEvent['action'], { record }: LiveResource = marked): WriteEvent => ({
  ...{ version: 4, at: '2026-11-20T14:00:00Z', action, writer: { name: 'ana', type: 'user' }, record },
});

test('the trail of each missing declared resource is read, also of its former name, and no others', async () => {
  const { asked } = await read({
    desired: [
      declare('gvc/new'),
      declare('workload/gone/w'),
      declare('workload/g/w'),
      declare('group/there'),
      declare('group/a', {}, { previously: 'b' }),
      declare('group/c', {}, { previously: 'there' }),
      declare('domain/a.b', {}, { part: true }),
    ],
    from: [live('gvc/g'), live('group/there')],
  });
  expect(asked).toEqual(['workload/g/w', 'group/a', 'group/b', 'group/c']);
});

test('if every resource exists, nothing is read and the snapshot is unchanged', async () => {
  const { asked, before, after } = await read({ desired: [declare('group/a')], from: [live('group/a')] });
  expect(asked).toEqual([]);
  expect(after).toBe(before);
});

test('a record that a replacement of this stack deleted is returned as it was', async () => {
  const { before, after } = await read({
    desired: [declare('group/a')],
    trails: { 'group/a': [write('exec'), write('delete'), write('create', live('group/a'))] },
  });
  const ref = { kind: 'group', name: 'a' };
  const deleted = { ref, id: 'group/a', uid: 'uid-group/a', version: 4, record: marked.record };
  expect(after).toStrictEqual({
    ...before,
    requests: before.requests + 3,
    unfinished: new Map([['group/a', deleted]]),
  });
});

test.each<{ it: string; trail: readonly WriteEvent[]; isUnfinished?: true; isDeleted?: true }>([
  { it: 'marked for it, when the deletion is not in the trail yet', trail: [write('edit')], isUnfinished: true },
  { it: 'that was created again since', trail: [write('create'), write('delete')] },
  { it: 'that was not to be replaced', trail: [write('edit', live('group/a'))] },
  {
    it: 'that another stack is replacing',
    trail: [write('delete', live('group/a', { tags: { [replacingTag]: 'x' } }))],
    isDeleted: true,
  },
  { it: 'that was deleted', trail: [write('delete', live('group/a'))], isDeleted: true },
  { it: 'of another stack that was deleted', trail: [write('delete', live('group/a', {}, { owner: 'x' }))] },
  { it: 'without a trail', trail: [] },
])('a record $it', async ({ trail, isUnfinished, isDeleted }) => {
  const { before, after } = await read({ desired: [declare('group/a')], trails: { 'group/a': trail } });
  expect([...(after.unfinished?.keys() ?? [])]).toEqual(isUnfinished === true ? ['group/a'] : []);
  const by = { name: 'ana', type: 'user', version: 4, at: '2026-11-20T14:00:00Z' };
  const { unfinished: _unfinished, ...others } = after;
  expect(others).toStrictEqual({
    ...before,
    requests: before.requests + 3,
    ...(isDeleted === true ? { deletions: new Map([['group/a', by]]) } : {}),
  });
});

test('an unreadable trail matters only if the stack owns something', async () => {
  const unread = async (from: readonly LiveResource[], is = true) =>
    (await read({ desired: [declare('group/a')], from, unread: is })).after.trailUnread;
  expect(await unread([foreign('group/x'), live('group/b')])).toBe(true);
  expect(await unread([live('group/b')], false)).toBeUndefined();
  expect(await unread([foreign('group/b'), live('group/c', {}, { owner: 'x' })])).toBeUndefined();
});
