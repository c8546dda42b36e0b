import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planToJson } from '../../../src/change/documents/planDocument.ts';
import { checkSelection } from '../../../src/plan/consequences/selection.ts';
import { isRefused } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { runs } from '../../harness/sampled.ts';
import { builtIn, carryOut, ModelPlatform } from '../model.ts';
import { declared, type PlanRow, testPlans } from '../planText.ts';
import { type Parts, parts, stackOf } from '../stacks.ts';
import { actions, changeOf, codes, declare, plan } from '../world.ts';

const reader = 'workload/g/web identity(app) reads(s)';
const shop = `gvc/g; identity/g/app; ${reader}; workload/g/other; secret/s; secret/t; policy/reveal lets(reveal,s,app)`;

/** The error of checking a selection against a plan of the shop. */
function unknown(options: Partial<PlanOptions>): unknown {
  const selecting = { targets: [], excludes: [], ...options };
  try {
    checkSelection(plan(declared(shop), [], selecting), selecting);
    return undefined;
  } catch (error) {
    return error;
  }
}

const around = 'gvc/g; gvc/h; identity/g/app; secret/s docker; secret/t docker';
const partial = { scope: 'partial', targets: ['workload/g/web'] } as const;
const renaming = 'gvc/g; workload/g/new previously(old); domain/x.com routes(new)';
const named = 'gvc/g; workload/g/old; domain/x.com routes(old)';
const mounts = 'gvc/g; volumeset/g/v; workload/g/a mounts(v); workload/g/b';
const moved = 'gvc/g; volumeset/g/v; workload/g/a; workload/g/b mounts(v)';
const placed = 'gvc/g text(new) places(eu,us); workload/g/there options(us); workload/g/here options(eu)';
const ofWeb = { targets: ['workload/g/web'] };
const alone = 'gvc/g; identity/g/app; secret/s';
const along = (id: string, why: string) => `included because of ${id}: ${why}`;
const appAlong = along('workload/g/web', 'spec.identityLink refers to it');
const gvcAlong = along('workload/g/web', 'it lives in that GVC');
const letsGo = along('identity/g/app', 'spec.identityLink of workload/g/web refers to it until then');
/** The changes that create web with everything that it needs. */
const webAlong = [
  `create gvc/g noting ${gvcAlong}; create identity/g/app noting ${appAlong}`,
  'create secret/s; create policy/reveal; create workload/g/web noting nothing',
].join('; ');
const places = 'location/eu foreign; location/us foreign; gvc/g places(eu)';

// biome-ignore format: a row is a case
const targets: readonly PlanRow[] = [
  ['the GVC is included if it gains the location for which a workload has options', placed, places,
    'patch gvc/g; create workload/g/there', { targets: ['workload/g/there'] }],
  ['the GVC is not included for a location that it had', placed, places, 'create workload/g/here',
    { targets: ['workload/g/here'] }],
  ['the GVC of a workload is included for a gained value to which the workload refers',
    `gvc/g pulls(s); gvc/h; ${reader}`,
    around, 'patch gvc/g; create workload/g/web', partial],
  ['the GVC of a workload is not included for a value gained for others', `gvc/g pulls(t); gvc/h; ${reader}`, around,
    'create workload/g/web', partial],
  ['a GVC in dependsOn is not included', `gvc/g; gvc/h pulls(s); ${reader} dependsOn(gvc/h)`, around,
    'create workload/g/web', partial],
  ['a record of another kind with the name of the GVC and the same new values is not included',
    `${reader} dependsOn(policy/g); policy/g targets(secret/s)`, 'gvc/g; identity/g/app; secret/s; policy/g aims(secret)',
    'create workload/g/web', partial],
  ['a renaming: the new record is selected alone',
    renaming, named, 'create workload/g/new', { targets: ['workload/g/new'] }],
  ['a renaming: the old record needs the new one and the moved references', renaming, named,
    'create workload/g/new; patch domain/x.com; delete workload/g/old', { targets: ['workload/g/old'] }],
  ['a renaming: without the moved references the old record is not deleted', renaming, named,
    '… create workload/g/new; refuse delete workload/g/old refused selection.breaks', { excludes: ['domain/x.com'] }],
  ['a dot in a name matches only a dot',
    'domain/a.com; domain/axcom', '', 'create domain/a.com', { targets: ['domain/a.com'] }],
  ['refusals of changes that are left out are left out', 'group/x; group/y', 'group/x by(another)', 'create group/y',
    { targets: ['group/y'] }],
  ['a refusal of the whole plan is also one of a partial plan', 'gvc/g pulls(absent); secret/z', '',
    'refuse create gvc/g refused reference.missing', { excludes: ['secret/z'] }],
  ['a deletion includes the deletions of referrers, also soft ones',
    'gvc/g', `gvc/g; identity/g/app; ${reader}; secret/s`,
    'delete workload/g/web; delete secret/s', { targets: ['secret/s'] }],
  ['a new mount of a volume set includes the workload that releases it',
    moved, mounts, 'patch workload/g/a; patch workload/g/b',
    { targets: ['workload/g/b'] }],
  ['the release of a volume set is selected alone', moved, mounts, 'patch workload/g/a', { targets: ['workload/g/a'] }],
  ['a creation includes the missing records that it refers to, with reasons; the rest is counted and named', shop, '',
    `${webAlong}; plan leaving create secret/t, create workload/g/other; ` +
      'plan noting this plan is partial: 2 changes are left out by --target', ofWeb],
  ['without other changes the plan is not called partial', 'gvc/g; secret/t', '',
    'create gvc/g; create secret/t; plan leaving nothing; ' +
      'plan noting --target leaves nothing out: there are no other changes', { targets: ['*/*'] }],
  ['an existing record is not included, although it changes too', shop,
    'gvc/g text(old); identity/g/app text(old); secret/s text(old)', 'create policy/reveal; create workload/g/web; ' +
      'plan leaving patch gvc/g, patch identity/g/app, patch secret/s, create secret/t, create workload/g/other',
    ofWeb],
  ...[
    ['workload/g/*', 'workload/g/other; create workload/g/web'], ['workload/*/web', 'workload/g/web'],
    ['*/g/other', 'workload/g/other'], ['secret/*', 'secret/s; create secret/t'],
    ['secret/s secret/t', 'secret/s; create secret/t'],
  ].map(([named = '', made]): PlanRow => [`${named} names ${made?.replace('; create', ' and')}`,
    'workload/g/other; workload/g/web; secret/s; secret/t', 'gvc/g', `create ${made}`, { targets: named.split(' ') }]),
  ['a plan made again after its named resource was deleted is empty', 'group/x', '', 'plan leaving create group/x',
    ofWeb],
  ['a limit counts the selected changes, not those left out', shop, '', 'create secret/t',
    { targets: ['secret/t'], maxChanges: 1 }],
  ['a limit counts included changes', shop, '', `${webAlong}; plan refused plan.too-many-changes`,
    { ...ofWeb, maxChanges: 1 }],
  ['one change that is left out is counted in the singular', 'secret/a; secret/b', '',
    'create secret/a; plan noting this plan is partial: 1 change is left out by --target', { targets: ['secret/a'] }],
  ['a deletion includes the update that drops the reference', 'gvc/g; workload/g/web', `${alone}; ${reader}`,
    `patch workload/g/web noting ${letsGo}; ` +
      'delete identity/g/app; plan leaving delete secret/s', { targets: ['identity/g/app'] }],
  ['a child of a deleted GVC can be deleted alone', 'group/x', `${alone}; ${reader}; group/x`, 'delete workload/g/web',
    ofWeb],
  ['a deleted GVC includes everything in it', 'group/x', `${alone}; ${reader}; group/x`,
    `delete gvc/g cascades-to identity/g/app, workload/g/web; delete identity/g/app via gvc/g; ` +
      `delete workload/g/web via gvc/g noting ${along('gvc/g', 'it is deleted with its GVC')}`, { targets: ['gvc/g'] }],
  ['destroying one resource leaves the others', '', `${alone}; ${reader}`,
    'delete workload/g/web; plan leaving delete gvc/g, delete identity/g/app, delete secret/s',
    { ...ofWeb, allowEmpty: true, maxDeletes: undefined }],
  ['--exclude leaves the named resources unchanged, and everything else is applied', shop, '',
    'create gvc/g; create identity/g/app; create secret/s; create policy/reveal; create secret/t; ' +
      'plan noting this plan is partial: 2 changes are left out by --exclude', { excludes: ['workload/g/*'] }],
  ['a resource that needs an excluded one can be excluded too', shop, '',
    'create gvc/g; create secret/s; create secret/t; create workload/g/other',
    { excludes: ['identity/g/app', 'workload/g/web', 'policy/reveal'] }],
  ['--exclude removes resources from a target', shop, '',
    'create secret/s; plan noting this plan is partial: 6 changes are left out by --target and --exclude',
    { targets: ['secret/*'], excludes: ['secret/t'] }],
  ['a deletion that needs an excluded update is refused', 'gvc/g', `gvc/g; identity/g/app; ${reader}`,
    'refuse delete identity/g/app refused selection.breaks', { excludes: ['workload/g/web'] }],
  ['an excluded resource in a deleted GVC is not one of another owner', 'group/x',
    'gvc/g; volumeset/g/v volumes(1); group/x',
    'refuse delete gvc/g refused selection.breaks', { excludes: ['volumeset/g/v'] }],
  ['what is of another owner in a deleted GVC is counted without the excluded resource', 'group/x',
    'gvc/g; volumeset/g/v volumes(1); secret/s; workload/g/web foreign; group/x',
    'refuse delete gvc/g refused delete.bystander selection.breaks; delete secret/s', { excludes: ['volumeset/g/v'] }],
];

describe('a partial plan', () => {
  testPlans(targets);
});

describe('a pattern of a selection', () => {
  test('with a star matches only within one segment', () => {
    expect(unknown({ targets: ['workload/*'] })).toMatchObject({ code: 'selection.unknown' });
  });

  test('that matches nothing is an error with the nearest name', () => {
    expect(unknown({ targets: ['workload/g/web', 'workload/g/wbe'] })).toMatchObject({
      code: 'selection.unknown',
      message: '--target=workload/g/wbe names no resource of this stack',
      hint: 'Did you mean workload/g/web?',
    });
    expect(unknown({ excludes: ['nothing'] })).toMatchObject({
      message: '--exclude=nothing names no resource of this stack',
      hint: 'Write kind/name, or kind/gvc/name for a resource in a GVC; * matches within one segment.',
    });
    expect(unknown({ targets: ['secret/s'], excludes: ['secret/t'] })).toBeUndefined();
    // Two names are equally near: the first by name.
    expect(unknown({ excludes: ['secret/u'] })).toMatchObject({ hint: 'Did you mean secret/s?' });
  });
});

test('a whole plan does not report changes left out; the document of a partial plan does', () => {
  expect(plan(declared(shop), [])).not.toHaveProperty('leftOut');
  const made = plan(declared(shop), [], ofWeb);
  expect(planToJson(made)).toMatchObject({ leftOut: made.leftOut, summary: { create: 5, keep: 0 } });
});

describe('a refusal because of the selection', () => {
  test('names the edge', () => {
    const made = plan(declared(shop), [], { excludes: ['identity/g/app'] });
    expect(changeOf(made, 'workload/g/web')).toMatchObject({
      action: 'refuse',
      intended: 'create',
      refusals: [
        {
          code: 'selection.breaks',
          message: 'identity/g/app is excluded, but workload/g/web needs it: spec.identityLink refers to it',
          allow: 'no --exclude for identity/g/app, or also --exclude=workload/g/web',
        },
      ],
    });
  });

  test('is reported beside another refusal', () => {
    const unfilled = { type: 'opaque', data: { payload: 'SET-BEFORE-CREATING' } };
    const needing = declare('secret/a', unfilled, { dependsOn: ['secret/b'] });
    const made = plan([needing, ...declared('secret/b')], [], { excludes: ['secret/b'] });
    expect(codes(made)).toEqual(['adopt.placeholder', 'selection.breaks']);
  });

  test('names the first of two reasons', () => {
    const made = plan(declared('gvc/g; workload/g/web dependsOn(gvc/g)'), [], { excludes: ['gvc/g'] });
    expect(changeOf(made, 'workload/g/web').refusals.map(({ message }) => message)).toEqual([
      'gvc/g is excluded, but workload/g/web needs it: it lives in that GVC',
    ]);
  });
});

const allowed = { maxDeletes: undefined, allowEmpty: true } as const;

/** The same parts with everything that they refer to, so that nothing is refused. */
function completed(of: Parts): Parts {
  const wantsDb = of.domain === 'stateful';
  const db = of.db ?? (wantsDb ? { mounts: undefined, type: 'stateful' as const } : undefined);
  const mounts = [db?.mounts, of.next];
  const identities = [of.gvc?.keda, of.web?.identity, of.policy ? 'app' : undefined];
  const app = of.app ?? (identities.includes('app') ? { cloud: false } : undefined);
  const ipset = of.ipset ?? (of.gvc?.ipSet === true ? false : undefined);
  return {
    ...of,
    gvc: of.gvc ?? { pulls: false, keda: undefined, ipSet: false, naming: false, described: false },
    db,
    app,
    ipset,
    spare: of.spare || identities.includes('spare'),
    cloud: of.cloud ?? (app?.cloud === true ? 'aws' : undefined),
    registry: of.registry ?? (of.gvc?.pulls === true ? 'docker' : undefined),
    rows: of.rows ?? (mounts.includes('rows') ? 'general-purpose-ssd' : undefined),
    files: of.files || mounts.includes('files'),
    robot: of.robot || of.group === true,
    domain: of.domain ?? (of.sub ? 'route' : undefined),
  };
}

/** The stored records, without values that count writes. */
function contents(platform: ModelPlatform): readonly string[] {
  return [...platform.snapshot().resources.values()]
    .map(({ id, record }) =>
      JSON.stringify(
        [id, { ...record, id: '', version: 0, tags: Object.keys(record['tags'] ?? {}).sort() }],
        sortedKeys,
      ),
    )
    .sort();
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

test('a partial plan of a generated stack, then a whole plan, has the same result as one whole plan', () => {
  let partial = 0;
  let taken = 0;
  const pick = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 });
  const order = (count: number): number => Math.max(0, count - 1);
  fc.assert(
    fc.property(parts.map(completed), parts.map(completed), pick, fc.boolean(), (before, after, picks, byTarget) => {
      const [platform, straight] = [new ModelPlatform(), new ModelPlatform()];
      for (const each of [platform, straight]) {
        each.put(builtIn);
        const first = plan(stackOf(before), each.snapshot(), allowed);
        if (isRefused(first)) return;
        carryOut(first, each, order);
      }
      const desired = stackOf(after);
      const whole = plan(desired, straight.snapshot(), allowed);
      if (isRefused(whole)) return;

      const ids = whole.changes.map(({ id }) => id).toSorted();
      const named = ids.filter((_, index) => picks[index] === true);
      const some = plan(desired, platform.snapshot(), {
        ...allowed,
        ...(byTarget ? { targets: named } : { excludes: named }),
      });
      const turned = plan(desired.toReversed(), platform.snapshot(), {
        ...allowed,
        ...(byTarget ? { targets: named.toReversed() } : { excludes: named.toReversed() }),
      });
      expect(JSON.stringify(planToJson(turned))).toBe(JSON.stringify(planToJson(some)));
      // An excluded requirement is refused; a target includes everything that it needs.
      if (byTarget) expect(codes(some)).toEqual([]);
      for (const code of codes(some)) expect(code).toBe('selection.breaks');
      if (isRefused(some)) return;
      if (some.leftOut !== undefined) partial += some.leftOut.length > 0 ? 1 : 0;
      if (some.changes.some(({ notes }) => notes.some((note) => note.startsWith('included because of')))) taken += 1;
      carryOut(some, platform, order);

      const rest = plan(desired, platform.snapshot(), allowed);
      expect(codes(rest)).toEqual([]);
      carryOut(rest, platform, order);
      carryOut(whole, straight, order);
      expect(contents(platform)).toEqual(contents(straight));
      expect(actions(plan(desired, platform.snapshot(), allowed))).toEqual([]);
    }),
    { numRuns: Number(process.env['GANTRY_RUNS'] ?? runs(120)) },
  );
  expect(partial).toBeGreaterThan(runs(30));
  expect(taken).toBeGreaterThan(5);
});
