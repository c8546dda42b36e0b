import { describe, expect, test } from 'vitest';
import { makeDraft, type StepEdge } from '../../../src/plan/model/draft.ts';
import { orderChanges } from '../../../src/plan/order/orderChanges.ts';
import { expectPlan, type PlanRow, testPlans } from '../planText.ts';
import { changeOf, closure, declare, foreign, live, plan, snapshot, volumeset, workload } from '../world.ts';

// biome-ignore format: a row is a case
const letsGo: readonly PlanRow[] = [
  ['not for a retained old name, which is released: its creation waits for nothing',
    'gvc/g; secret/s; volumeset/g/rows; workload/g/store mounts(rows) previously(db) replace dependsOn(secret/s)',
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows) retained', '… forget workload/g/db after nothing'],
  ['for the deletion of the referrer', 'gvc/g', 'gvc/g; secret/s; workload/g/web reads(s)',
    '… delete secret/s after ~workload/g/web; delete workload/g/web after nothing'],
  ['for the update that drops the reference', 'gvc/g; workload/g/web type(standard)',
    'gvc/g; secret/s; workload/g/web type(standard) reads(s)', '… delete secret/s after ~workload/g/web'],
  ['not for an update that keeps it',
    'gvc/g; workload/g/web image(b) reads(s)', 'gvc/g; secret/s; workload/g/web reads(s)',
    '… delete secret/s after nothing; patch workload/g/web after nothing', { allowDangling: 1 }],
  ['not for a released record, which keeps it', 'gvc/g', 'gvc/g; secret/s; workload/g/web reads(s) retained',
    '… delete secret/s after nothing; forget workload/g/web after nothing', { allowDangling: 1 }],
  ['not for a record that is handed over unchanged', 'gvc/g; workload/g/web handOver(bank)',
    'gvc/g; secret/s; workload/g/web reads(s)', '… delete secret/s after nothing; forget workload/g/web after nothing',
    { allowDangling: 1 }],
  ['for the GVC instead of its child', 'group/x', 'group/x; gvc/g; secret/s; workload/g/web reads(s)',
    '… delete secret/s after ~gvc/g'],
  ['for the GVC instead of a child of others', 'group/x',
    'group/x; gvc/g; secret/s; workload/g/web reads(s) foreign unlisted',
    '… delete secret/s after ~gvc/g; delete gvc/g after nothing', { allowCollateral: 1 }],
  ['not for a kept GVC, because of a child of others', 'gvc/g text(new)',
    'gvc/g; secret/s; workload/g/web reads(s) foreign unlisted',
    '… delete secret/s after nothing; patch gvc/g after nothing', { allowDangling: 1 }],
  ['for a GVC: for referrers to its children', 'group/x', 'group/x; gvc/g; workload/g/web; domain/a.com routes(web)',
    '… delete gvc/g after ~domain/a.com; delete domain/a.com after nothing'],
  ['for a GVC: not for its own children and their references', 'group/x',
    'group/x; gvc/g; identity/g/app; workload/g/web identity(app)',
    '… delete gvc/g after nothing; delete identity/g/app after nothing; delete workload/g/web after nothing'],
  ['not for itself, although it refers to itself', 'gvc/g', 'gvc/g; workload/g/web calls(web)',
    '… delete workload/g/web after nothing'],
  ['for the second step, if that moves the field from one child to another',
    'gvc/g keda(fresh) text(ours); identity/g/fresh', 'gvc/g keda(old); identity/g/old',
    '… delete identity/g/old after gvc/g then'],
  ['for the only step, if that contains the change of the second one', 'gvc/g keda(fresh); identity/g/fresh',
    'gvc/g keda(old); identity/g/old', '… delete identity/g/old after gvc/g'],
  ['for the first step, if the second one only changes the position in a list', 'gvc/g pulls(a); secret/a docker',
    'gvc/g pulls(old,a); secret/a ecr; secret/old docker', '… delete secret/old after gvc/g'],
  ['not for a GVC that keeps the reference, although it has a second step for another one',
    'gvc/g keda(app) ipSet(front) text(ours); identity/g/app', 'gvc/g ipSet(front); ipset/front',
    '… delete ipset/front after nothing'],
  ['for a GVC: for its data, without which it is not deleted', 'group/x',
    'group/x; gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    '… delete gvc/g after volumeset/g/rows, workload/g/db'],
  ['for two replaced records: for the step that drops both references, restored later',
    'secret/a docker; secret/b docker; gvc/g pulls(a,b)', 'secret/a ecr; secret/b ecr; gvc/g pulls(a,b)',
    '… replace secret/a gone-after gvc/g; replace secret/b gone-after gvc/g; patch gvc/g then-after secret/a, ' +
      'secret/b'],
];

describe('a deletion waits for the steps that drop references to its target, and for no others (design, law 6)', () => {
  testPlans(letsGo);

  test('a referrer that keeps the reference is not included in a partial plan', () => {
    const ignoring = declare('workload/g/web', workload('a'), { ignore: ['spec.containers.main.env'] });
    const env = [{ name: 'S', value: 'scheme://secret/s' }];
    const web = live('workload/g/web', { spec: { type: 'stateful', containers: [{ name: 'main', image: 'a', env }] } });
    const made = plan([declare('gvc/g'), ignoring], [live('gvc/g'), live('secret/s', { type: 'opaque' }), web], {
      targets: ['secret/s'],
      allowDangling: 1,
    });
    expect(changeOf(made, 'secret/s').action).toBe('delete');
    expect(changeOf(made, web.id)).toMatchObject({ action: 'keep', notes: [expect.not.stringContaining('included')] });
  });

  test('a GVC that waits for its data gives the reason', () => {
    const [set, db] = [live('volumeset/g/rows', volumeset(0)), live('workload/g/db', workload('a', ['rows']))];
    const state = snapshot([live('group/x'), live('gvc/g'), set, db], { closures: closure('g', [set, db]) });
    const because = 'it stores data, or mounts a volume set: it is deleted before its GVC';
    expect(changeOf(plan([declare('group/x')], state), 'gvc/g').requires).toMatchObject([{ because }, { because }]);
  });
});

// biome-ignore format: a row is a case
const mounting: readonly PlanRow[] = [
  ['newly waits for the workload that unmounts it, if possible',
    'gvc/g; volumeset/g/files shared; workload/g/a mounts(files); workload/g/z',
    'gvc/g; volumeset/g/files shared; workload/g/a; workload/g/z mounts(files)',
    '… patch workload/g/a after ~workload/g/z'],
  ['already waits for nothing', 'gvc/g; volumeset/g/files shared; workload/g/a image(b) mounts(files)',
    'gvc/g; volumeset/g/files shared; workload/g/a mounts(files); workload/g/z mounts(files)',
    '… patch workload/g/a after nothing'],
  ['newly does not wait for one that keeps a shared mount',
    'gvc/g; volumeset/g/files shared; workload/g/a mounts(files); workload/g/z image(b) mounts(files)',
    'gvc/g; volumeset/g/files shared; workload/g/z mounts(files)', '… create workload/g/a after nothing'],
  ['newly does not wait for a released workload, which keeps the mount',
    'gvc/g; volumeset/g/files shared; workload/g/a mounts(files)',
    'gvc/g; volumeset/g/files shared; workload/g/z mounts(files) retained', '… create workload/g/a after nothing'],
  ['does not include readers: several workloads may read a secret',
    'gvc/g; secret/s; workload/g/a reads(s); workload/g/z',
    'gvc/g; secret/s; workload/g/a; workload/g/z reads(s)', '… patch workload/g/a after nothing'],
];

describe('a workload that mounts a volume set', () => {
  testPlans(mounting);
});

// biome-ignore format: a row is a case
const subdomains: readonly PlanRow[] = [
  ['in the mode ns waits for its apex', 'domain/example.com mode(cname); domain/a.b.example.com mode(ns)', '',
    '… create domain/a.b.example.com after domain/example.com; create domain/example.com after nothing'],
  ['in the mode cname has a soft edge to it', 'domain/example.com mode(cname); domain/a.b.example.com mode(cname)', '',
    '… create domain/a.b.example.com after ~domain/example.com; create domain/example.com after nothing'],
  ['in the mode ns because of its GVC', 'domain/example.com mode(cname); domain/a.b.example.com of(gvc/g)',
    'gvc/g foreign',
    '… create domain/a.b.example.com after domain/example.com; create domain/example.com after nothing'],
  ['in the mode cname in spite of its GVC',
    'domain/example.com mode(cname); domain/a.b.example.com mode(cname) of(gvc/g)', 'gvc/g foreign',
    '… create domain/a.b.example.com after ~domain/example.com; create domain/example.com after nothing'],
  ['in the mode cname by default', 'domain/example.com mode(cname); domain/a.b.example.com', '',
    '… create domain/a.b.example.com after ~domain/example.com; create domain/example.com after nothing'],
  ['waits for the nearest parent',
    'domain/example.com mode(cname); domain/b.example.com mode(cname); domain/a.b.example.com mode(cname)', '',
    '… create domain/a.b.example.com after ~domain/b.example.com'],
  ['is deleted without waiting for the change of a kept apex, which does not wait either',
    'domain/example.com mode(cname) text(new)', 'domain/example.com mode(cname); domain/a.b.example.com mode(cname)',
    '… delete domain/a.b.example.com after nothing; patch domain/example.com after nothing'],
  ['is deleted before its apex (row 23)', 'group/x',
    'group/x; domain/a.example.com mode(cname); domain/example.com mode(cname)',
    'delete domain/a.example.com; delete domain/example.com after domain/a.example.com'],
  ['that is kept keeps its apex', 'domain/a.example.com mode(cname)',
    'group/x; domain/a.example.com mode(cname); domain/example.com mode(cname)',
    '… refuse delete domain/example.com refused delete.referenced'],
];

describe('a sub-domain and its apex (platform/domain.names)', () => {
  testPlans(subdomains);

  test.each([[['a', 'b']], [['b', 'a']]])(
    'of several kept sub-domains the first is named, in any order: %j',
    (names) => {
      const others = names.map((name) => foreign(`domain/${name}.example.com`, { spec: { dnsMode: 'cname' } }));
      const made = plan([declare('group/x')], [live('group/x'), live('domain/example.com'), ...others]);
      expect(changeOf(made, 'domain/example.com').refusals).toMatchObject([
        { code: 'delete.referenced', message: expect.stringContaining('domain/a.example.com') },
      ]);
    },
  );
});

test('of two reasons to wait for the same step the first is shown', () => {
  const web = declare('workload/g/web', workload('a'), { dependsOn: ['gvc/g'] });
  expect(changeOf(plan([declare('gvc/g'), web], []), web.id).requires).toEqual([
    { on: 'gvc/g', because: 'it lives in that GVC', soft: false },
  ]);
});

describe('a cycle', () => {
  const payload = { type: 'opaque', data: { payload: 'x' } };
  const ring = [
    declare('secret/a', payload, { dependsOn: ['secret/b'] }),
    declare('secret/b', payload, { dependsOn: ['secret/a'] }),
  ];

  test('through a refused change does not prevent a plan', () => {
    const refused = 'refuse adopt secret/a after secret/b refused owner.other';
    expectPlan(
      'secret/a dependsOn(secret/b); secret/b dependsOn(secret/a)',
      'secret/a by(bank)',
      `… ${refused}; create secret/b after nothing`,
    );
  });

  test('of live records has no file position', () => {
    const drafts = ['a', 'b'].map((name) => {
      const { id, ref } = live(`secret/${name}`);
      return makeDraft({ id, ref }, { action: 'delete', reason: '' });
    });
    const edge = (from: string, on: string): StepEdge => ({
      ...{ from, on, fromStep: 'main', onStep: 'main', because: 'it refers to it', soft: false, ready: false },
    });
    const edges = [edge('secret/a', 'secret/b'), edge('secret/b', 'secret/a')];
    expect(() => orderChanges(new Map(drafts.map((draft) => [draft.id, draft])), edges)).toThrow(
      /live {2}secret\/a waits for secret\/b: it refers to it/,
    );
  });

  test('beside a refused change is one', () => {
    const state = [live('group/x', {}, { owner: 'bank' })];
    expect(() => plan([...ring, declare('group/x')], state)).toThrow(/secret\/a waits for secret\/b/);
  });
});
