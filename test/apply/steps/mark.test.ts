import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import type { Fault } from '../harness/fakePlatform.ts';
import { failures, fakePlatform, writes } from '../harness/harness.ts';
import { creating, plan, ref, stack } from '../harness/plans.ts';
import { type RunRow, testRuns } from '../harness/runText.ts';

const hall = 'workload/town/hall';
/** The two tags of a record of this stack, as written with this version. */
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
  ['on a busy record is retried, and the record is replaced', whole, `${mark}: busy`,
    `done ${hall}; verified true; sent ${mark}, ${mark}, ${gone}, ${made}; notes nothing`],
  ['that did not arrive is sent again, and the record is replaced', whole, `${mark}: unsent`,
    `done ${hall}; verified true; sent ${mark}, ${mark}, ${gone}, ${made}; notes nothing`],
  ['with a lost response is found on the record, and the record is replaced', whole, `${mark}: lost`,
    `done ${hall}; verified true; sent ${mark}, ${gone}, ${made}; notes nothing`],
  ['on a record that stays busy fails, and the record is not deleted', whole, `${mark}: busy*99`,
    `failed ${hall} api.conflict; made nothing`, { run: { patience: { busyMs: 5_000 } } }],
  ['shows that another client deleted the record', whole, `${mark}: gone`, `done ${hall}; sent ${mark}, ${made}`],
  ['shows that another client changed the record', whole, `${mark}: touched(2)`,
    `failed ${hall} plan.stale; sent ${mark}`],
  ['is no change of others when the deletion is repeated', whole, `${gone}: busy`,
    `done ${hall}; sent ${mark}, ${gone}, ${gone}, ${made}`],
  ['from an earlier run is not written again', whole, `${hall}: marking(2)`,
    `done ${hall}; sent ${gone}, ${made}`],
  ['is not required of a run: if the platform does not answer for long, the record is unchanged', whole,
    `${mark}: api.unavailable`, `failed ${hall} api.unavailable; notes nothing; now ${hall}@1=old`],
  ['at another version than the next one: the record changed since the plan, and is not deleted',
    whole, `${hall}: marking(3)`, `failed ${hall} plan.stale; made nothing`],
  ['of another stack: the record changed since the plan, and is not deleted', whole, `${hall}: marking(2,bank)`,
    `failed ${hall} plan.stale; made nothing`],
  ['that is missing: the record changed since the plan, and is not deleted', whole, `${hall}: restored(2)`,
    `failed ${hall} plan.stale; made nothing`],
  ...['api.invalid', 'api.forbidden', 'api.method', 'api.quota', 'api.bad-reply'].flatMap((code): readonly RunRow[] => [
    [`that the platform refuses (${code}) for a record with carried-over values: not deleted, and they are named`,
      `${whole} carries(${values.replace(', ', ',')})`, `${mark}: ${code}`,
      `failed ${hall} apply.unmarked (this would have been lost: ${values} → --allow-unmarked); sent ${mark}; now ${hall}@1=old`],
    [`that the platform refuses (${code}): with the permit the values are named`,
      `${whole} carries(${values.replace(', ', ',')}) unmarked()`, `${mark}: ${code}`,
      `done ${hall}; notes ${unmarked} of ${hall}, and this would have been lost: ${values}; sent ${mark}, ${gone}, ${made}`],
    [`that the platform refuses (${code}) does not stop a replacement without losses, and a note says so`,
      whole, `${mark}: ${code}`,
      `done ${hall}; notes ${unmarked}; calls read ${hall}, ${mark}, read ${hall}, ${gone}, read ${hall}, ${made}`],
  ]),
];

// biome-ignore format: a row is a case
const unmarks: readonly RunRow[] = [
  ['is not removed from a record that another client deleted',
    whole, `${gone}: api.invalid(mounted); read ${hall}: -, gone`,
    `failed ${hall} api.invalid; sent ${mark}, ${gone}`],
  ['is not removed from a record that another client created in its place', whole,
    `${gone}: api.invalid(mounted); read ${hall}: -, another`, `failed ${hall} api.invalid; sent ${mark}, ${gone}`],
  ['is not removed from a record that another run unmarked',
    whole, `${gone}: api.invalid(mounted); read ${hall}: -, disowned(3)`,
    `failed ${hall} api.invalid; sent ${mark}, ${gone}`],
  ['may remain if it cannot be removed: the first failure is reported', whole,
    `${gone}: api.invalid(mounted); ${mark}: -, api.unavailable`, `failed ${hall} api.invalid`],
];

describe('the mark of a record that is about to be replaced', () => {
  testRuns(marks);

  test('names the owner of the replacement, and keeps the record of the last write', async () => {
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

  test('with an unreadable response counts if it is on the record', async () => {
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

  test('after another write that the platform did not reject: the record is not deleted, and is unmarked', async () => {
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

describe('the mark of a record that was not deleted', () => {
  testRuns(unmarks);

  const refused: Fault = { kind: 'error', code: 'api.invalid', message: 'it is mounted' };

  test('is removed, with the record of the last write', async () => {
    const { platform, apply, planned } = replacing();
    platform.fault('delete', hall, refused);
    expect(failures(await apply(planned))).toEqual([`${hall}: api.invalid`]);
    expect(platform.at(hall)).toMatchObject({ version: 3, record: { tags: tags(3) } });
    expect(platform.at(hall)?.record['tags']).toEqual(tags(3));
  });

  test('because it got data that was not approved, is removed', async () => {
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

  test('does not hide an internal error', async () => {
    const { platform, apply, planned } = replacing();
    platform.fault('delete', hall, refused);
    const happens = () => {
      throw new TypeError('ours');
    };
    platform.fault('patch', hall, nothing, { kind: 'meanwhile', happens });
    await expect(apply(planned)).rejects.toThrow('ours');
  });
});
