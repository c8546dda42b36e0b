import { describe, expect, it } from 'vitest';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { makeDeletionReads } from '../../../src/provider/platform/looks.ts';
import { formatRef, type Ref } from '../../../src/schema/record/ref.ts';

const ref = (name: string): Ref => ({ kind: 'group', name });

function platform(names: readonly string[], canList = true) {
  const records = new Map(names.map((name) => [name, 1]));
  const asked: string[] = [];
  /** Records that exist but are in no list. */
  const skipped = new Set<string>();
  let time = 0;
  const live = (name: string): LiveResource | undefined => {
    const version = records.get(name);
    if (version === undefined) return undefined;
    return { id: formatRef(ref(name)), ref: ref(name), uid: `uid-${name}`, version, record: { name } };
  };
  const read = async ({ name }: Ref): Promise<LiveResource | undefined> => {
    asked.push(`read ${name}`);
    return live(name);
  };
  const client = {
    read,
    record: read,
    async list() {
      asked.push('list');
      if (!canList) throw new Error('no');
      return [...records.keys()]
        .filter((name) => !skipped.has(name))
        .map(live)
        .filter((each) => each !== undefined);
    },
  };
  const sleep = async (ms: number): Promise<void> => {
    time += ms;
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { records, asked, skipped, pass: sleep, looks: makeDeletionReads(client, { now: () => time, sleep }) };
}

const three = ['a', 'b', 'c'];

describe('the reads for deletions', () => {
  it('are one list for all deletions that wait, before the requests and after them', async () => {
    const { records, asked, looks } = platform([...three, 'd', 'e', 'f']);
    const deletion = (name: string) =>
      looks.during(async () => {
        expect((await looks.before(ref(name)))?.uid).toBe(`uid-${name}`);
        records.delete(name);
        expect(await looks.afterDelete(ref(name))).toBeUndefined();
      });
    await Promise.all(three.map(deletion));
    await Promise.all(['d', 'e', 'f'].map(deletion)); // By the list that has shown that the others are deleted.
    expect(asked).toEqual(['list', 'list', 'list']);
  });

  it('are single reads if one or two wait, or if lists are refused', async () => {
    const few = platform(['a', 'b']);
    await Promise.all(['a', 'b'].map((name) => few.looks.during(() => few.looks.before(ref(name)))));
    expect(few.asked).toEqual(['read a', 'read b']);
    const unlisted = platform(three, false);
    const found = await Promise.all(three.map((name) => unlisted.looks.during(() => unlisted.looks.before(ref(name)))));
    expect(found.map((live) => live?.uid)).toEqual(['uid-a', 'uid-b', 'uid-c']);
    expect(unlisted.asked).toEqual(['list', 'read a', 'read b', 'read c']);
  });

  it('never use a list from before the request, or older than a quarter of a second', async () => {
    const { records, asked, pass, looks } = platform(three);
    await Promise.all(three.map((name) => looks.during(() => looks.before(ref(name)))));
    records.set('a', 2);
    expect((await looks.now(ref('a')))?.version).toBe(2);
    await pass(300);
    records.set('b', 2);
    expect((await looks.before(ref('b')))?.version).toBe(2);
    expect(asked).toEqual(['list', 'read a', 'read b']);
  });

  it('wait longer for each other if more of them came recently', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `g${at}`);
    const { records, asked, pass, looks } = platform(names);
    // One after the other, 10 at a time, as Terraform's core sends them after it has written its state.
    const left = [...names];
    const worker = async (): Promise<void> => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const each = name;
        await looks.during(async () => {
          await looks.before(ref(each));
          records.delete(each);
          expect(await looks.afterDelete(ref(each))).toBeUndefined();
        });
      }
    };
    const workers = Array.from({ length: 10 }, async (_, at) => {
      for (let step = 0; step < at; step += 1) await pass(10);
      await worker();
    });
    await Promise.all(workers);
    expect(records.size).toBe(0);
    expect(asked.length).toBeLessThan(names.length / 2);
  });

  it('read a record that no list had by its name: it may be hidden from lists', async () => {
    const { asked, looks } = platform(three);
    const names = [...three, 'x'];
    const found = await Promise.all(names.map((name) => looks.during(() => looks.before(ref(name)))));
    expect(found.map((live) => live?.uid)).toEqual(['uid-a', 'uid-b', 'uid-c', undefined]);
    expect(asked).toEqual(['list', 'read x']);
  });

  it('before a DELETE read a record by its name that a later list lacks: that list may be old', async () => {
    const { asked, skipped, pass, looks } = platform(three);
    await Promise.all(three.map((name) => looks.before(ref(name))));
    await pass(300);
    skipped.add('a');
    const looked = async (look: (of: Ref) => Promise<LiveResource | undefined>) =>
      (await Promise.all(three.map((name) => look(ref(name))))).map((live) => live?.uid);
    expect(await looked(looks.before)).toEqual(['uid-a', 'uid-b', 'uid-c']);
    expect(await looked(looks.now)).toEqual(['uid-a', 'uid-b', 'uid-c']);
    expect(await looked(looks.afterDelete)).toEqual([undefined, 'uid-b', 'uid-c']);
    expect(asked).toEqual(['list', 'list', 'read a', 'list', 'read a', 'list']);
  });

  it('fail if the platform fails, and continue with the next', async () => {
    const { looks } = platform(three);
    const broken = makeDeletionReads(
      { list: () => Promise.reject(new Error('no')), read: () => Promise.reject(new Error('no')), record: looks.now },
      { now: () => 0, sleep: async () => {} },
    );
    await expect(broken.now(ref('a'))).rejects.toThrow('no');
    await expect(broken.now(ref('a'))).rejects.toThrow('no');
  });
});
