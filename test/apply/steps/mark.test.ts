import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import type { Fault } from '../harness/fakePlatform.ts';
import { failures, fakePlatform, writes } from '../harness/harness.ts';
import { creating, plan, ref, stack } from '../harness/plans.ts';
import { type RunRow, testRuns } from '../harness/runText.ts';

const hall = 'workload/town/hall';
/** The two tags of a record of this stack, as it was written with this version. */
const tags = (version = 1): JsonObject => ({ 'gantry/stack': stack, 'gantry/applied': `1;lAbc;v${version}` });
const marked = { ...tags(2), 'gantry/replacing': stack };
const nothing: Fault = { kind: 'meanwhile', happens: () => {} };

/** A workload that is to be replaced. */
function replacing(record: JsonObject = {}, version = 1, more: Parameters<typeof creating>[1] = {}) {
  const fake = fakePlatform();
  const old = fake.platform.put(ref(hall), { tags: tags(), ...record }, version);
  const change = creating(hall, { action: 'replace', liveUid: old.uid, liveVersion: 1, ...more });
  const put = (tagged: JsonObject, as: number, uid = old.uid) =>
    void fake.platform.put(old.ref, { tags: tagged }, as, uid);
  return { ...fake, old, planned: plan(change), put };
}

const whole = 'replace workload/town/hall';
const [mark, gone, made] = ['patch', 'delete', 'create'].map((verb) => `${verb} workload/town/hall`);

const values = 'tags."team/cost", description';
const unmarked =
  'a record could not be marked before it was replaced: if this run had been killed in between, the next run would not ' +
  'have recognised the unfinished replacement';

// biome-ignore format: a row is a case
const marks: readonly RunRow[] = [
  ['of a busy record is tried again, and the record is replaced', whole, `${mark}: busy`,
    `done ${hall}; verified true; sent ${mark}, ${mark}, ${gone}, ${made}; notes nothing`],
  ['that never arrived is sent again, and the record is replaced', whole, `${mark}: unsent`,
    `done ${hall}; verified true; sent ${mark}, ${mark}, ${gone}, ${made}; notes nothing`],
  ['whose answer was lost is found there, and the record is replaced', whole, `${mark}: lost`,
    `done ${hall}; verified true; sent ${mark}, ${gone}, ${made}; notes nothing`],
  ['of a record that is busy for good: it is not deleted', whole, `${mark}: busy*99`,
    `failed ${hall} api.conflict; made nothing`, { run: { patience: { busyMs: 5_000 } } }],
  ['finds out that somebody else has deleted it', whole, `${mark}: gone`, `done ${hall}; sent ${mark}, ${made}`],
  ['finds out that somebody else has changed it', whole, `${mark}: touched(2)`,
    `failed ${hall} plan.stale; sent ${mark}`],
  ['is no change of others when the deletion is repeated', whole, `${gone}: busy`,
    `done ${hall}; sent ${mark}, ${gone}, ${gone}, ${made}`],
  ['is there from a run before: it is not written again', whole, `${hall}: marking(2)`,
    `done ${hall}; sent ${gone}, ${made}`],
  ['is no write that a run may lose: what the platform does not answer for long leaves the record as it is', whole,
    `${mark}: api.unavailable`, `failed ${hall} api.unavailable; notes nothing; now ${hall}@1=old`],
  ['is a version that is not the one after the planned: the record has changed since the plan, and is not deleted',
    whole, `${hall}: marking(3)`, `failed ${hall} plan.stale; made nothing`],
  ['is of another stack: the record has changed since the plan, and is not deleted', whole, `${hall}: marking(2,bank)`,
    `failed ${hall} plan.stale; made nothing`],
  ['is nowhere: the record has changed since the plan, and is not deleted', whole, `${hall}: restored(2)`,
    `failed ${hall} plan.stale; made nothing`],
  ...['api.invalid', 'api.forbidden', 'api.method', 'api.quota', 'api.bad-reply'].flatMap((code): readonly RunRow[] => [
    [`that the platform does not take (${code}), of a record that takes over values: it is not deleted, and they are named`,
      `${whole} carries(${values.replace(', ', ',')})`, `${mark}: ${code}`,
      `failed ${hall} apply.unmarked (this would have been lost: ${values} → --allow-unmarked); sent ${mark}; now ${hall}@1=old`],
    [`that the platform does not take (${code}): with the permit the values are named`,
      `${whole} carries(${values.replace(', ', ',')}) unmarked()`, `${mark}: ${code}`,
      `done ${hall}; notes ${unmarked} of ${hall}, and this would have been lost: ${values}; sent ${mark}, ${gone}, ${made}`],
    [`that the platform does not take (${code}) does not stop a replacement that loses nothing, and the result says so`,
      whole, `${mark}: ${code}`,
      `done ${hall}; notes ${unmarked}; calls read ${hall}, ${mark}, read ${hall}, ${gone}, read ${hall}, ${made}`],
  ]),
];

// biome-ignore format: a row is a case
const unmarks: readonly RunRow[] = [
  ['is not taken from what somebody else has deleted', whole, `${gone}: api.invalid(mounted); read ${hall}: -, gone`,
    `failed ${hall} api.invalid; sent ${mark}, ${gone}`],
  ['is not taken from what somebody else has put in its place', whole,
    `${gone}: api.invalid(mounted); read ${hall}: -, another`, `failed ${hall} api.invalid; sent ${mark}, ${gone}`],
  ['is not taken from what another run has unmarked', whole, `${gone}: api.invalid(mounted); read ${hall}: -, disowned(3)`,
    `failed ${hall} api.invalid; sent ${mark}, ${gone}`],
  ['may stay where it cannot be taken back: the reason of the failure is the first one', whole,
    `${gone}: api.invalid(mounted); ${mark}: -, api.unavailable`, `failed ${hall} api.invalid`],
];

describe('the mark that a record is about to be replaced', () => {
  testRuns(marks);

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

  test('whose answer cannot be read, and that is there all the same, is a mark', async () => {
    const { platform, apply, planned, put } = replacing({}, 1, { carries: ['description'] });
    const happens = () => {
      put(marked, 2);
      throw new ToolError({ code: 'api.bad-reply', message: 'no JSON' });
    };
    platform.fault('patch', hall, { kind: 'meanwhile', happens });
    const { result } = await apply(planned);
    expect(result).toMatchObject({ done: [hall], failed: [] });
    expect(result.notes).toBeUndefined();
  });

  test('over a write that the platform has let pass unnoticed: the record is not deleted, and not left marked', async () => {
    const fake = fakePlatform({ ignoresVersions: true });
    const old = fake.platform.put(ref(hall), { tags: tags() });
    const theirs = () => void fake.platform.put(old.ref, { description: 'theirs', tags: tags() }, 2, old.uid);
    fake.platform.fault('patch', hall, { kind: 'meanwhile', happens: theirs });
    const change = creating(hall, { action: 'replace', liveUid: old.uid, liveVersion: 1 });
    expect(failures(await fake.apply(plan(change)))).toEqual([`${hall}: plan.stale`]);
    expect(writes(fake.platform)).toEqual([mark, mark]);
    expect(fake.platform.at(hall)?.record['tags']).not.toHaveProperty(['gantry/replacing']);
  });
});

describe('the mark of a record that was not deleted after all', () => {
  testRuns(unmarks);

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
