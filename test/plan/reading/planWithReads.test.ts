import { describe, expect, test } from 'vitest';
import { liveReferences } from '../../../src/manifest/live/liveReference.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { Change } from '../../../src/plan/model/change.ts';
import { planWithReads } from '../../../src/plan/planWithReads.ts';
import { declared, held } from '../planText.ts';
import { changeOf, declare, options, plan, snapshot } from '../world.ts';

const web = 'workload/g/web';
/** What the platform shows of each workload. */
const status = { endpoint: 'https://web.example', internalName: 'web.g.local' };

/** Live records; the platform has answered for the workloads. */
function there(text: string): readonly LiveResource[] {
  return [...held(text).resources.values()].map((each) =>
    each.ref.kind === 'workload' ? { ...each, record: { ...each.record, status } } : each,
  );
}

/** A group of this stack whose description is a live value. */
function taking(path: string, from: string) {
  const text = `\${live.${from}:${path}}`;
  return { ...declare('group/reader', { description: text }), reads: liveReferences(text) };
}

interface Row {
  readonly from?: string;
  readonly path: string;
  readonly declares: string;
  readonly live: string;
  /** The change that another stack has planned. */
  readonly before?: Change;
  readonly found?: LiveResource | undefined;
}

/** The value with which the group is planned; undefined if it is known only after the apply. */
function taken({ from = web, path, declares, live, before, found }: Row): unknown {
  const desired = [...declared(declares), taking(path, from)];
  const given = { ...options, prune: true, adopt: true, allowEmpty: true };
  const others = before === undefined ? undefined : new Map([[from, { change: before, found }]]);
  const made = planWithReads(desired, snapshot(there(live)), { ...given, ...(others && { before: others }) });
  const group = made.desired.find(({ id }) => id === 'group/reader');
  const value = group?.record['description'];
  expect(changeOf(made.plan, 'group/reader').create?.expose()['description']).toBe(value);
  return liveReferences(value).length > 0 ? undefined : value;
}

describe('a value that a resource takes from a live record', () => {
  const all = `gvc/g; ${web}`;
  const { endpoint, internalName } = status;

  // biome-ignore format: a row is a case
  test.each<[string, Row, unknown]>([
    ['is known if that record stays as it is', { path: 'status.endpoint', declares: all, live: all }, endpoint],
    ['is known if other fields change', { path: 'status.endpoint', declares: `${all} image(b)`, live: all }, endpoint],
    ['is unknown if a field changes that it depends on',
      { path: 'status.endpoint', declares: `${all} serving(8080)`, live: all }, undefined],
    ['is known beside such a change if it never changes',
      { path: 'status.internalName', declares: `${all} serving(8080)`, live: all }, internalName],
    ['is unknown if that record is created', { path: 'status.endpoint', declares: all, live: 'gvc/g' }, undefined],
    ['is unknown if that record is replaced',
      { path: 'status.internalName', declares: `${all} type(standard)`, live: all }, undefined],
    ['is unknown if that record is deleted', { path: 'status.internalName', declares: 'gvc/g', live: all }, undefined],
    ['is known if that record is released',
      { path: 'status.internalName', declares: 'gvc/g', live: `${all} retained` }, internalName],
    ['is known if that record is adopted as it is',
      { path: 'status.endpoint', declares: all, live: `${all} foreign` }, endpoint],
    ['is unknown if that record is adopted with a change that it depends on',
      { path: 'status.endpoint', declares: `${all} serving(8080)`, live: `${all} foreign` }, undefined],
    ['that is declared is the declared one', { from: 'group/other', path: 'description',
      declares: 'group/other text(new)', live: 'group/other text(old)' }, 'new'],
    ['that another record declares is unknown if that record is deleted', { from: 'group/other', path: 'description',
      declares: '', live: 'group/other text(old)' }, undefined],
  ])('%s', (_, row, expected) => expect(taken(row)).toBe(expected));
});

describe('a value that another stack, planned before, may change', () => {
  const planned = (declares: string, live: string, id: string): { before: Change; found: LiveResource | undefined } => {
    const state = there(live);
    const made = plan(declared(declares), state, { prune: true, allowEmpty: true });
    return { before: changeOf(made, id), found: state.find((each) => each.id === id) };
  };
  const text = { from: 'group/other', path: 'description', declares: '' };
  const old = 'group/other text(old)';

  // biome-ignore format: a row is a case
  test.each<[string, Row, unknown]>([
    ['is unknown as long as the platform shows the earlier one', { ...text, live: `${old} by(base)`,
      ...planned('group/other text(new)', old, 'group/other') }, undefined],
    ['is known when the platform shows another one', { ...text, live: 'group/other text(new) by(base)',
      ...planned('group/other text(new)', old, 'group/other') }, 'new'],
    ['is known if that stack changes other fields', { ...text, live: `${old} by(base)`,
      ...planned(`${old} tag(a)`, old, 'group/other') }, 'old'],
    ['is unknown if that stack deletes the record', { ...text, live: `${old} by(base)`,
      ...planned('', old, 'group/other') }, undefined],
    ['is unknown as long as the record that it creates does not exist', { ...text, live: '',
      ...planned(old, '', 'group/other') }, undefined],
    ['is known when the record that it creates exists', { ...text, live: `${old} by(base)`,
      ...planned(old, '', 'group/other') }, 'old'],
    ['is unknown if a field changes that it depends on', { path: 'status.endpoint', declares: '',
      live: `gvc/g by(base); ${web} by(base)`, ...planned(`gvc/g; ${web} serving(80)`, `gvc/g; ${web}`, web) },
      undefined],
    ['is known if other fields change', { path: 'status.endpoint', declares: '',
      live: `gvc/g by(base); ${web} by(base)`, ...planned(`gvc/g; ${web} image(b)`, `gvc/g; ${web}`, web) },
      status.endpoint],
  ])('%s', (_, row, expected) => expect(taken(row)).toBe(expected));
});

test.each<[string, Partial<Snapshot>, string]>([
  ['its token may not see', { hidden: new Map([['group/other', 'view']]) }, 'read.hidden'],
  ['does not exist', {}, 'live.absent'],
])('a value of a record that %s is refused, and is not said to be known after the apply', (_, state, code) => {
  const { plan: made } = planWithReads([taking('description', 'group/other')], snapshot([], state), options);
  expect(changeOf(made, 'group/reader')).toMatchObject({ action: 'refuse', refusals: [{ code }], notes: [] });
});
