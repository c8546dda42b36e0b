import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import type { Fault } from '../harness/fakePlatform.ts';
import { failures, fakePlatform, writes } from '../harness/harness.ts';
import { creating, plan, ref, stack } from '../harness/plans.ts';

const hall = 'workload/town/hall';
/** The two tags of a record of this stack, as it was written with this version. */
const tags = (version = 1): JsonObject => ({ 'gantry/stack': stack, 'gantry/applied': `1;lAbc;v${version}` });
const marked = { ...tags(2), 'gantry/replacing': stack };
const nothing: Fault = { kind: 'meanwhile', happens: () => {} };
const [patched, deleted, created] = ['patch', 'delete', 'create'].map((verb) => `${verb} ${hall}`);

/** A workload that is to be replaced. */
function replacing(record: JsonObject = {}, version = 1, more: Parameters<typeof creating>[1] = {}) {
  const fake = fakePlatform();
  const old = fake.platform.put(ref(hall), { tags: tags(), ...record }, version);
  const change = creating(hall, { action: 'replace', liveUid: old.uid, liveVersion: 1, ...more });
  const put = (tagged: JsonObject, as: number, uid = old.uid) =>
    void fake.platform.put(old.ref, { tags: tagged }, as, uid);
  return { ...fake, old, planned: plan(change), put };
}

describe('the mark that a record is about to be replaced', () => {
  test('says whose replacement it is, and keeps what is recorded of the last write', async () => {
    const { platform, apply, planned } = replacing();
    let tagged: unknown;
    platform.fault('delete', hall, {
      kind: 'meanwhile',
      happens: () => {
        tagged = platform.at(hall)?.record['tags'];
      },
    });
    await apply(planned);
    expect(tagged).toEqual(marked);
  });

  interface Met {
    readonly it: string;
    readonly faults: readonly Fault[];
    readonly sent: readonly (string | undefined)[];
  }
  test.each<Met>([
    {
      it: 'of a busy record is tried again',
      faults: [{ kind: 'error', code: 'api.conflict' }],
      sent: [patched, patched, deleted, created],
    },
    {
      it: 'that never arrived is sent again',
      faults: [{ kind: 'lost-before' }],
      sent: [patched, patched, deleted, created],
    },
    { it: 'whose answer was lost is found there', faults: [{ kind: 'lost-after' }], sent: [patched, deleted, created] },
  ])('$it, and the record is replaced', async ({ faults, sent }) => {
    const { platform, apply, planned } = replacing();
    platform.fault('patch', hall, ...faults);
    const { result } = await apply(planned);
    expect(result).toMatchObject({ done: [hall], failed: [], verified: true });
    expect(writes(platform)).toEqual(sent);
    expect(result.notes).toBeUndefined();
  });

  test('of a record that is busy for good: it is not deleted', async () => {
    const { platform, apply, planned } = replacing();
    platform.fault(
      'patch',
      hall,
      ...Array.from({ length: 99 }, (): Fault => ({ kind: 'error', code: 'api.conflict' })),
    );
    expect(failures(await apply(planned, { patience: { busyMs: 5_000 } }))).toEqual([`${hall}: api.conflict`]);
    expect(writes(platform)).not.toContain(deleted);
  });

  test('is there from a run before: it is not written again', async () => {
    const { platform, apply, planned } = replacing({ tags: marked }, 2);
    expect((await apply(planned)).result).toMatchObject({ done: [hall], failed: [] });
    expect(writes(platform)).toEqual([deleted, created]);
  });

  test.each([
    { it: 'somebody else has deleted it', version: 0 },
    { it: 'somebody else has changed it', version: 2 },
  ])('finds out that $it', async ({ version }) => {
    const { platform, apply, planned, put } = replacing();
    const happens = () => (version === 0 ? platform.drop(hall) : put({ ...tags(), theirs: '1' }, version));
    platform.fault('patch', hall, { kind: 'meanwhile', happens });
    const applied = await apply(planned);
    expect(failures(applied)).toEqual(version === 0 ? [] : [`${hall}: plan.stale`]);
    expect(writes(platform)).toEqual(version === 0 ? [patched, created] : [patched]);
  });

  test('is no write that a run may lose: what the platform does not answer for long leaves the record as it is', async () => {
    const { platform, apply, planned, old } = replacing();
    platform.fault('patch', hall, { kind: 'error', code: 'api.unavailable' });
    const applied = await apply(planned);
    expect(failures(applied)).toEqual([`${hall}: api.unavailable`]);
    expect(applied.result.notes).toBeUndefined();
    expect(platform.at(hall)).toBe(old);
  });

  const impossible = ['api.invalid', 'api.forbidden', 'api.method', 'api.quota', 'api.bad-reply'];
  const carries = ['tags."team/cost"', 'description'];

  test.each(impossible)(
    'that the platform does not take (%s), of a record that takes over values: it is not deleted, and they are named',
    async (code) => {
      const { platform, apply, planned, old } = replacing({}, 1, { carries });
      platform.fault('patch', hall, { kind: 'error', code });
      const applied = await apply(planned);
      expect(failures(applied)).toEqual([`${hall}: apply.unmarked`]);
      const [failed] = applied.result.failed;
      expect(failed?.error.message).toContain('this would have been lost: tags."team/cost", description');
      expect(failed?.error.hint).toContain('--allow-unmarked');
      expect(writes(platform)).toEqual([patched]);
      expect(platform.at(hall)).toBe(old);
    },
  );

  test.each(impossible)('that the platform does not take (%s): with the permit the values are named', async (code) => {
    const { platform, apply, planned } = replacing({}, 1, { carries, unmarked: true });
    platform.fault('patch', hall, { kind: 'error', code });
    const { result } = await apply(planned);
    expect(result).toMatchObject({
      done: [hall],
      notes: [expect.stringContaining(`of ${hall}, and this would have been lost: tags."team/cost", description`)],
    });
    expect(writes(platform)).toEqual([patched, deleted, created]);
  });

  test('whose answer cannot be read, and that is there all the same, is a mark', async () => {
    const { platform, apply, planned, put } = replacing({}, 1, { carries });
    const happens = () => {
      put(marked, 2);
      throw new ToolError({ code: 'api.bad-reply', message: 'no JSON' });
    };
    platform.fault('patch', hall, { kind: 'meanwhile', happens });
    const { result } = await apply(planned);
    expect(result).toMatchObject({ done: [hall], failed: [] });
    expect(result.notes).toBeUndefined();
  });

  test.each(impossible)(
    'that the platform does not take (%s) does not stop a replacement that loses nothing, and the result says so',
    async (code) => {
      const { platform, apply, planned } = replacing();
      platform.fault('patch', hall, { kind: 'error', code });
      const { result } = await apply(planned);
      expect(result).toMatchObject({
        done: [hall],
        notes: [expect.stringContaining('could not be marked before it was replaced')],
      });
      expect(platform.log.slice(0, 4)).toEqual([`read ${hall}`, patched, `read ${hall}`, deleted]);
    },
  );

  test('over a write that the platform has let pass unnoticed: the record is not deleted, and not left marked', async () => {
    const fake = fakePlatform({ ignoresVersions: true });
    const old = fake.platform.put(ref(hall), { tags: tags() });
    const theirs = () => void fake.platform.put(old.ref, { description: 'theirs', tags: tags() }, 2, old.uid);
    fake.platform.fault('patch', hall, { kind: 'meanwhile', happens: theirs });
    const change = creating(hall, { action: 'replace', liveUid: old.uid, liveVersion: 1 });
    expect(failures(await fake.apply(plan(change)))).toEqual([`${hall}: plan.stale`]);
    expect(writes(fake.platform)).toEqual([patched, patched]);
    expect(fake.platform.at(hall)?.record['tags']).not.toHaveProperty(['gantry/replacing']);
  });

  test('is no change of others when the deletion is repeated', async () => {
    const { platform, apply, planned } = replacing();
    platform.fault('delete', hall, { kind: 'error', code: 'api.conflict' });
    expect((await apply(planned)).result.done).toEqual([hall]);
    expect(writes(platform)).toEqual([patched, deleted, deleted, created]);
  });

  test.each([
    { it: 'a version that is not the one after the planned', record: { ...marked, theirs: '1' }, version: 3 },
    { it: 'of another stack', record: { ...tags(), 'gantry/replacing': 'bank' }, version: 2 },
    { it: 'nowhere', record: { ...tags() }, version: 2 },
  ])('is $it: the record has changed since the plan, and is not deleted', async ({ record, version }) => {
    const { platform, apply, planned } = replacing({ tags: record }, version);
    expect(failures(await apply(planned))).toEqual([`${hall}: plan.stale`]);
    expect(writes(platform)).not.toContain(deleted);
  });
});

describe('the mark of a record that was not deleted after all', () => {
  const refused: Fault = { kind: 'error', code: 'api.invalid', message: 'it is mounted' };

  test('is taken back, with what is recorded of the last write', async () => {
    const { platform, apply, planned } = replacing();
    platform.fault('delete', hall, refused);
    expect(failures(await apply(planned))).toEqual([`${hall}: api.invalid`]);
    expect(platform.at(hall)).toMatchObject({ version: 3, record: { tags: tags(3) } });
    expect(platform.at(hall)?.record['tags']).toEqual(tags(3));
  });

  test('since data came into it meanwhile, which nobody approved, is taken back', async () => {
    const data = 'volumeset/town/data';
    const { platform, apply } = fakePlatform();
    const holding = (volumes: readonly JsonObject[]) => ({ tags: tags(), status: { locations: [{ volumes }] } });
    const old = platform.put(ref(data), holding([]));
    const filled = () => void platform.put(old.ref, holding([{ lifecycle: 'bound' }]), 1, old.uid);
    platform.fault('patch', data, { kind: 'meanwhile', happens: filled });
    const change = creating(data, { action: 'replace', liveUid: old.uid, liveVersion: 1 });
    expect(failures(await apply(plan(change)))).toEqual([`${data}: plan.stale`]);
    expect(writes(platform)).toEqual([`patch ${data}`, `patch ${data}`]);
    expect(platform.at(data)?.record['tags']).toEqual(tags(3));
  });

  interface Case {
    readonly it: string;
    readonly happens: (fake: ReturnType<typeof replacing>) => void;
  }
  test.each<Case>([
    { it: 'somebody else has deleted', happens: ({ platform }) => platform.drop(hall) },
    { it: 'somebody else has put another in the place of', happens: ({ put }) => put(marked, 1, 'another') },
    { it: 'another run has unmarked', happens: ({ put }) => put(tags(3), 3) },
  ])('is not taken from what $it', async ({ happens }) => {
    const fake = replacing();
    fake.platform.fault('delete', hall, refused);
    fake.platform.fault('read', hall, nothing, { kind: 'meanwhile', happens: () => happens(fake) });
    expect(failures(await fake.apply(fake.planned))).toEqual([`${hall}: api.invalid`]);
    expect(writes(fake.platform)).toEqual([patched, deleted]);
  });

  test('may stay where it cannot be taken back: the reason of the failure is the first one', async () => {
    const { platform, apply, planned } = replacing();
    platform.fault('delete', hall, refused);
    platform.fault('patch', hall, nothing, { kind: 'error', code: 'api.unavailable' });
    expect(failures(await apply(planned))).toEqual([`${hall}: api.invalid`]);
  });

  test('hides no mistake of our own', async () => {
    const { platform, apply, planned } = replacing();
    platform.fault('delete', hall, refused);
    const happens = () => {
      throw new TypeError('ours');
    };
    platform.fault('patch', hall, nothing, { kind: 'meanwhile', happens });
    await expect(apply(planned)).rejects.toThrow('ours');
  });
});
