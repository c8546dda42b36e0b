import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../../src/client/http/apiError.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { recordsOf } from '../../../src/provider/platform/records.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { formatRef, type Ref } from '../../../src/schema/record/ref.ts';

function group(name: string, version = 1): LiveResource {
  const ref: Ref = { kind: 'group', name };
  return { ref, id: formatRef(ref), uid: `uid-${name}`, version, record: { kind: 'group', name, version } };
}

const ref = (name: string): Ref => ({ kind: 'group', name });

/** A platform that counts its requests and whose clock is set by hand. */
function platform(names: readonly string[], refuses?: ApiErrorCode, refused: Record<string, ApiErrorCode> = {}) {
  const asked: string[] = [];
  const state = { now: 0, version: 1, lists: names };
  async function read({ name }: Ref): Promise<LiveResource | undefined> {
    asked.push(`read ${name}`);
    const code = refused[name];
    if (code !== undefined) throw new ApiError({ code, message: 'no' });
    return names.includes(name) ? group(name, state.version) : undefined;
  }
  const records = recordsOf(
    {
      read,
      record: read,
      async list(kind: Kind, gvc?: string) {
        asked.push(`list ${kind}${gvc === undefined ? '' : ` ${gvc}`}`);
        if (refuses !== undefined) throw new ApiError({ code: refuses, message: 'no' });
        return state.lists.map((name) => group(name, state.version));
      },
    },
    () => state.now,
  );
  return { asked, state, records };
}

describe('reads', () => {
  it('of a thousand records are one list', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `group-${index}`);
    const { asked, records } = platform(names);
    const found = await Promise.all(names.map((name) => records.read({ ref: ref(name) })));
    expect(found.map((live) => live?.ref.name)).toEqual(names);
    expect(asked).toEqual(['list group']);
  });

  it('are lists of one GVC for records in a GVC', async () => {
    const { asked, records } = platform([]);
    await records.foundBefore({ kind: 'workload', name: 'a', gvc: 'shop' });
    await records.foundBefore({ kind: 'workload', name: 'a', gvc: 'blog' });
    expect(asked).toEqual(['list workload shop', 'list workload blog']);
  });

  it('for free names are one list, whatever is written meanwhile, and one more after a minute', async () => {
    const { asked, state, records } = platform(['a']);
    for (const name of ['a', 'b', 'c']) {
      expect((await records.foundBefore(ref(name)))?.ref.name).toBe(name === 'a' ? 'a' : undefined);
      await records.write(() => records.foundBefore(ref(name)));
    }
    expect(asked).toEqual(['list group']);
    state.now = 60_001;
    await records.foundBefore(ref('a'));
    expect(asked).toEqual(['list group', 'list group']);
  });

  it('request a record by name that the list lacks: it may be new, or hidden from lists', async () => {
    const { asked, state, records } = platform(['a', 'b']);
    state.lists = ['a'];
    expect((await records.read({ ref: ref('b') }))?.uid).toBe('uid-b');
    expect(await records.read({ ref: ref('c') })).toBeUndefined();
    expect(asked).toEqual(['list group', 'read b', 'read c']);
  });

  it('request a record by name of which the list has an older version than the state', async () => {
    const { asked, records } = platform(['a']);
    await records.read({ ref: ref('a'), uid: 'uid-a', version: 1 });
    await records.read({ ref: ref('a'), uid: 'uid-before', version: 2 });
    expect(asked).toEqual(['list group']);
    await records.read({ ref: ref('a'), uid: 'uid-a', version: 2 });
    expect(asked).toEqual(['list group', 'read a']);
  });

  it('list again after five seconds', async () => {
    const { asked, state, records } = platform(['a']);
    await records.read({ ref: ref('a') });
    state.now = 5_000;
    await records.read({ ref: ref('a') });
    expect(asked).toEqual(['list group']);
    state.now = 5_001;
    await records.read({ ref: ref('a') });
    expect(asked).toEqual(['list group', 'list group']);
  });

  it('are never older than a write of this process, whether finished, failed or in flight', async () => {
    const { asked, state, records } = platform(['a']);
    await records.read({ ref: ref('a') });
    const done = Promise.withResolvers<void>();
    const write = records.write(() => done.promise);
    state.version = 2;
    expect((await records.read({ ref: ref('a') }))?.version).toBe(2);
    done.resolve();
    await write;
    expect((await records.read({ ref: ref('a') }))?.version).toBe(2);
    await expect(records.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await records.read({ ref: ref('a') });
    expect(asked).toEqual(['list group', 'read a', 'list group', 'list group']);
  });

  it('do not use a list that was in flight when a write began', async () => {
    const { asked, records } = platform(['a']);
    const read = records.read({ ref: ref('a') });
    await Promise.all([records.write(async () => {}), read]);
    expect(asked).toEqual(['list group', 'read a']);
  });

  it.each(['api.forbidden', 'api.method'] as const)('are single if lists are refused (%s)', async (code) => {
    const { asked, records } = platform(['a', 'b'], code);
    await records.read({ ref: ref('a') });
    await records.read({ ref: ref('b') });
    expect(asked).toEqual(['list group', 'read a', 'read b']);
  });

  it('for free names are single if lists are forbidden', async () => {
    const { asked, records } = platform(['a'], 'api.forbidden', { c: 'api.forbidden', d: 'api.unavailable' });
    expect((await records.foundBefore(ref('a')))?.uid).toBe('uid-a');
    expect(await records.foundBefore(ref('b'))).toBeUndefined();
    expect(await records.foundBefore(ref('c'))).toBeUndefined(); // It cannot be viewed either.
    await expect(records.foundBefore(ref('d'))).rejects.toThrow('no');
    expect(asked).toEqual(['list group', 'read a', 'read b', 'read c', 'read d']);
  });

  it('of an org, or of a value that lists hide, are single', async () => {
    const { asked, records } = platform(['a']);
    await records.read({ ref: { kind: 'org', name: 'a' }, reveal: false });
    await records.read({ ref: { kind: 'secret', name: 'a' }, reveal: true });
    expect(asked).toEqual(['read a', 'read a']);
    await records.read({ ref: { kind: 'secret', name: 'a' }, reveal: false });
    await records.read({ ref: ref('a'), reveal: true }); // A group hides nothing.
    expect(asked.slice(2)).toEqual(['list secret', 'list group']);
  });

  it('in a deleted GVC find nothing without a second request', async () => {
    const { asked, records } = platform(['a'], 'api.not-found');
    expect(await records.foundBefore({ kind: 'workload', name: 'a', gvc: 'gone' })).toBeUndefined();
    expect((await records.foundBefore(ref('a')))?.uid).toBe('uid-a'); // The collection does not exist, but the record does.
    expect(asked).toEqual(['list workload gone', 'list group', 'read a']);
  });

  it('report a record as absent if the list lacks it, but not if there is no list', async () => {
    expect(await platform(['a']).records.isAbsent(ref('a'))).toBe(false);
    expect(await platform(['a']).records.isAbsent(ref('b'))).toBe(true);
    expect(await platform([], 'api.forbidden').records.isAbsent(ref('b'))).toBe(false);
    expect(await platform([], 'api.unavailable').records.isAbsent(ref('b'))).toBe(false);
  });

  it('fail if the platform does not answer, and list again the next time', async () => {
    const { asked, records } = platform(['a'], 'api.unavailable');
    await expect(records.read({ ref: ref('a') })).rejects.toThrow('no');
    await expect(records.read({ ref: ref('a') })).rejects.toThrow('no');
    expect(asked).toEqual(['list group', 'list group']);
  });
});
