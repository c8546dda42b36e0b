import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { liveReferences } from '../../../src/manifest/live/liveReference.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import {
  changeOf,
  closure,
  codes,
  createdBefore,
  declare,
  foreign,
  live,
  plan,
  snapshot,
  volumeset,
  workload,
} from '../world.ts';

interface Case {
  readonly it: string;
  readonly desired: readonly DesiredResource[];
  readonly held: readonly LiveResource[];
  readonly state?: Partial<Snapshot>;
  readonly options?: Partial<PlanOptions>;
  readonly refused: readonly string[];
}

/** A workload that takes `field` of `of`, which is not known yet, in its image. */
function taking(of: string, image = `\${live.${of}}`): DesiredResource {
  const record = declare('workload/g/w', { spec: { type: 'standard', containers: [{ name: 'main', image }] } });
  return { ...record, reads: liveReferences(image) };
}
const endpoint = 'workload/g/api:status.endpoint';
const [gvc, liveGvc] = [declare('gvc/g'), live('gvc/g')];
const declaring = (desired: readonly DesiredResource[]) => ({ others: [{ owner: 'base', inRun: false, desired }] });
const others = (...names: readonly string[]) => declaring(names.map((name) => declare(`gvc/${name}`, pulls('s'))));
const inEnv = (value: string): JsonObject => ({ spec: { env: [{ name: 'TOKEN', value }] } });
const reader = declaring([declare('gvc/h', inEnv('scheme://secret/s.payload'))]);
const masked = declare('gvc/g', inEnv('***'), { sensitive: ['spec.env.TOKEN.value'] });
const unqualified = { unqualified: true } as const;

const [group, liveGroup] = [declare('group/x'), live('group/x')];
const opaque = (payload: string): JsonObject => ({ type: 'opaque', data: { payload } });
const pulls = (name: string): JsonObject => ({ spec: { pullSecretLinks: [`/org/o/secret/${name}`] } });
const unknown = 'SET-BEFORE-CREATING';
const kinds = ['workload'] as const;
const seen = (unseen?: readonly ('workload' | 'identity')[]) => ({
  closures: new Map([['g', { known: true, children: [], ...(unseen === undefined ? {} : { unseen }) }]]),
});
const location = (...names: readonly string[]): JsonObject => ({
  spec: { staticPlacement: { locationLinks: names.map((name) => `/org/o/location/${name}`) } },
});
const there = [foreign('location/a'), foreign('location/b')];
const ns = { spec: { dnsMode: 'ns' } };
const cname = { spec: { dnsMode: 'cname' } };
/** Another type, so that the secret must be replaced; its kept value cannot be read. */
const retyped = (name: string) =>
  declare(`secret/${name}`, { type: 'dictionary', data: { a: 'x' } }, { ignore: ['data.a'] });
const typed = (name: string) => live(`secret/${name}`, { type: 'opaque' });

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'refuses to delete a GVC in which this token cannot see everything', desired: [group],
    held: [liveGroup, live('gvc/g')], state: seen(kinds), refused: ['delete.unseen'] },
  { it: 'deletes such a GVC with the permit', desired: [group], held: [liveGroup, live('gvc/g')], state: seen(kinds),
    options: { allowUnseen: true }, refused: [] },
  { it: 'deletes a GVC in which the token sees everything', desired: [group], held: [liveGroup, live('gvc/g')],
    state: seen([]), refused: [] },
  { it: 'refuses to remove a location from children that it cannot see', desired: [declare('gvc/g', location('b'))],
    held: [live('gvc/g', location('a', 'b')), ...there], state: seen(kinds), refused: ['update.unseen'] },
  { it: 'removes the location with the permit', desired: [declare('gvc/g', location('b'))],
    held: [live('gvc/g', location('a', 'b')), ...there], state: seen(kinds), options: { allowUnseen: true },
    refused: [] },
  { it: 'refuses a declared resource that may exist unseen', desired: [group], held: [],
    state: { hidden: new Map([['group/x', 'view']]) }, refused: ['read.hidden'] },
  { it: 'refuses a new name if the old one may exist unseen',
    desired: [declare('group/x', {}, { previously: 'old' })], held: [],
    state: { hidden: new Map([['group/old', 'view']]) }, refused: ['read.hidden'] },
  { it: 'accepts a reference to a resource that may exist unseen',
    desired: [declare('gvc/g', pulls('s'), { dependsOn: ['group/y'] })], held: [],
    state: { hidden: new Map([['secret/s', 'view'], ['group/y', 'view']]) }, refused: [] },
  { it: 'accepts a reference to a resource that another stack creates earlier',
    desired: [declare('workload/g/web', workload('a', [], { type: 'standard' }), { dependsOn: ['group/y'] })], held: [],
    options: { before: createdBefore('gvc/g', 'group/y') }, refused: [] },
  { it: 'accepts dependsOn a live resource',
    desired: [declare('group/x', {}, { dependsOn: ['group/theirs'] })], held: [foreign('group/theirs')], refused: [] },
  { it: 'refuses dependsOn a missing resource', desired: [declare('group/x', {}, { dependsOn: ['group/y'] })],
    held: [], refused: ['reference.missing'] },
  { it: 'refuses dependsOn a resource that the plan deletes',
    desired: [declare('group/x', {}, { dependsOn: ['group/y'] })],
    held: [live('group/y')], refused: ['reference.missing'] },
  { it: 'refuses to delete a resource that an unchanged one depends on',
    desired: [declare('group/x', {}, { dependsOn: ['group/y'] })], held: [liveGroup, live('group/y')],
    refused: ['reference.missing'] },
  { it: 'refuses to delete a GVC that contains a dependency of an unchanged resource',
    desired: [declare('group/x', {}, { dependsOn: ['workload/g/web'] })], held: [liveGroup, live('gvc/g')],
    state: { closures: closure('g', [foreign('workload/g/web', workload('a'))]) }, options: { allowCollateral: 1 },
    refused: ['reference.missing'] },
  { it: 'refuses dependsOn the old name of a renamed resource',
    desired: [declare('group/x', {}, { dependsOn: ['group/y'] }), declare('group/z', {}, { previously: 'y' })],
    held: [liveGroup, live('group/y')], refused: ['rename.referenced'] },
  { it: 'accepts dependsOn a resource that the plan replaces',
    desired: [declare('group/x', {}, { dependsOn: ['secret/s'] }),
      declare('secret/s', { type: 'dictionary', data: { a: 'x' } })], held: [typed('s')], refused: [] },
  { it: 'refuses a placeholder that would be created', desired: [declare('secret/s', opaque(unknown))], held: [],
    refused: ['adopt.placeholder'] },
  { it: 'refuses a placeholder that would be written', desired: [declare('secret/s', opaque(unknown))],
    held: [live('secret/s', opaque('x'))], refused: ['adopt.placeholder'] },
  { it: 'refuses a placeholder that would be written over an unreadable value',
    desired: [declare('secret/s', opaque(unknown))], held: [live('secret/s', { type: 'opaque' })],
    state: { unrevealed: new Set(['secret/s']) }, options: { writeUnknownSecrets: true },
    refused: ['adopt.placeholder'] },
  { it: 'accepts a placeholder that is not written',
    desired: [declare('secret/s', { ...opaque(unknown), description: 'new' })],
    held: [live('secret/s', { type: 'opaque' })], state: { unrevealed: new Set(['secret/s']) }, refused: [] },
  { it: 'accepts the word elsewhere',
    desired: [declare('secret/s', { ...opaque('x'), description: unknown })], held: [], refused: [] },
  { it: 'refuses a sub-domain in ns mode without a parent domain', desired: [declare('domain/a.example.com', ns)],
    held: [], refused: ['reference.missing'] },
  { it: 'accepts it below a live domain', desired: [declare('domain/a.b.example.com', ns)],
    held: [foreign('domain/example.com', cname)], refused: [] },
  { it: 'accepts it below a declared domain',
    desired: [declare('domain/a.b.example.com', ns), declare('domain/b.example.com', cname)], held: [], refused: [] },
  { it: 'accepts it below a domain that it cannot see', desired: [declare('domain/a.example.com', ns)], held: [],
    state: { hidden: new Map([['domain/example.com', 'view']]) }, refused: [] },
  { it: 'accepts it if it is live already', desired: [declare('domain/a.example.com', { ...ns, description: 'new' })],
    held: [live('domain/a.example.com', ns)], refused: [] },
  { it: 'accepts a sub-domain in cname mode without a parent',
    desired: [declare('domain/a.example.com', cname)], held: [], refused: [] },
  { it: 'refuses to replace a built-in record', desired: [declare('policy/p', { targetKind: 'secret' })],
    held: [live('policy/p', { targetKind: 'gvc', origin: 'builtin' })], refused: ['replace.undeletable'] },
  { it: 'refuses to lose a value that it cannot read', desired: [retyped('s')], held: [typed('s')],
    refused: ['plan.lost-values'] },
  { it: 'loses exactly as many values as permitted',
    desired: [retyped('s')], held: [typed('s')], options: { allowLostValues: 1 },
    refused: [] },
  { it: 'refuses to lose values if the permit has a larger number', desired: [retyped('s')], held: [typed('s')],
    options: { allowLostValues: 2 }, refused: ['plan.lost-values'] },
  { it: 'refuses to lose values if the permit has a smaller number',
    desired: [retyped('s'), retyped('t')], held: [typed('s'), typed('t')],
    options: { allowLostValues: 1 }, refused: ['plan.lost-values', 'plan.lost-values'] },
  { it: 'accepts a replacement whose value can be read', desired: [retyped('s')], held: [live('secret/s', opaque('x'))],
    refused: [] },
  { it: 'refuses to create a secret that a replacement deleted with its value', desired: [retyped('s')], held: [],
    state: { unfinished: new Map([['secret/s', typed('s')]]) }, refused: ['plan.lost-values'] },
  { it: 'refuses to delete what another stack declares to need', desired: [group],
    held: [liveGroup, live('secret/s')], options: others('h'), refused: ['delete.referenced'] },
  { it: 'refuses it once for each of two records that need it live too', desired: [group],
    held: [liveGroup, live('secret/s'), ...['h', 'i'].map((name) => live(`gvc/${name}`, pulls('s'), { owner: 'base' }))],
    options: others('h', 'i'), refused: ['delete.referenced', 'delete.referenced'] },
  { it: 'refuses it for another stack that declares the need, and for a record that nobody declares', desired: [group],
    held: [liveGroup, live('secret/s'), foreign('gvc/k', pulls('s'))], options: others('h'),
    refused: ['delete.referenced', 'delete.referenced'] },
  { it: 'refuses to delete what another stack declares to read', desired: [group], held: [liveGroup, live('secret/s')],
    options: reader, refused: ['delete.referenced'] },
  { it: 'refuses a deletion that would wait for itself by way of another stack of the run', desired: [group],
    held: [liveGroup, live('gvc/g', { spec: { aliasWorkloadLink: '//gvc/g/workload/w' } }, { owner: 'base' }),
      live('workload/g/w')],
    options: { others: [{ owner: 'base', inRun: true, desired: [] }] }, refused: ['delete.referenced'] },
  { it: 'deletes what another stack needs only for a record that it hands over', desired: [group],
    held: [liveGroup, live('secret/s')],
    options: declaring([declare('gvc/h', pulls('s'), { handOver: 'bank' })]), refused: [] },
  { it: 'deletes it with the permit', desired: [group], held: [liveGroup, live('secret/s')],
    options: { ...reader, allowDangling: 1 }, refused: [] },
  { it: 'does not delete with the permit what the platform keeps', desired: [group], held: [liveGroup, live('secret/s')],
    options: { ...others('h'), allowDangling: 0 }, refused: ['delete.referenced'] },
  { it: 'accepts a declared value that looks like a mask', desired: [masked], held: [], refused: [] },
  { it: 'refuses it in an undo, which declares the live values of marked fields', desired: [masked], held: [],
    options: { undoes: true }, refused: ['plan.masked'] },
  { it: 'refuses to delete under a name without a project what another project may have made', desired: [group],
    held: [live('secret/s')], options: unqualified, refused: ['stack.other-project'] },
  { it: 'deletes it if a declared record has the name too', desired: [group], held: [liveGroup, live('secret/s')],
    options: unqualified, refused: [] },
  { it: 'deletes it if a replacement of this stack deleted a declared record', desired: [group], held: [live('secret/s')],
    state: { unfinished: new Map([['group/x', liveGroup]]) }, options: unqualified, refused: [] },
  { it: 'deletes it beside a renaming', desired: [declare('group/y', {}, { previously: 'x' })],
    held: [liveGroup, live('secret/s')], options: unqualified, refused: [] },
  { it: 'creates records under a name without a project', desired: [group], held: [], options: unqualified,
    refused: [] },
  { it: 'destroys everything under a name without a project', desired: [], held: [live('secret/s')],
    options: { ...unqualified, destroys: true, allowEmpty: true }, refused: [] },
  { it: 'accepts a value of a record that is created first', desired: [gvc, declare('workload/g/api'), taking(endpoint)],
    held: [], refused: [] },
  { it: 'accepts a value that a live record will have', desired: [gvc, taking(endpoint)],
    held: [liveGvc, foreign('workload/g/api')], refused: [] },
  { it: 'accepts a value of a record that another stack creates before', desired: [gvc, taking(endpoint)], held: [liveGvc],
    options: { before: createdBefore('workload/g/api') }, refused: [] },
  { it: 'refuses a value of a record that does not exist', desired: [gvc, taking(endpoint)], held: [liveGvc],
    refused: ['live.absent'] },
  { it: 'accepts a known value, even if its record is gone now',
    desired: [gvc, { ...taking(endpoint), reads: taking(endpoint).reads?.map((read) => ({ ...read, value: 'a:1' })) ?? [] }],
    held: [liveGvc], refused: [] },
  { it: 'refuses a value that only users set, and nobody has set', desired: [gvc, taking('workload/g/api:spec.type')],
    held: [liveGvc, foreign('workload/g/api')], refused: ['live.absent'] },
  { it: 'refuses a value of a record that it cannot view', desired: [gvc, taking(endpoint)], held: [liveGvc],
    state: { hidden: new Map([['workload/g/api', 'view']]) }, refused: ['read.hidden'] },
  { it: 'refuses to replace a record that takes a value known only then', desired: [gvc, taking(endpoint)],
    held: [liveGvc, foreign('workload/g/api'), live('workload/g/w', { spec: { type: 'stateful' } })],
    refused: ['live.replaces'] },
  { it: 'counts data lost by replacements and by deletions together',
    desired: [declare('gvc/g'),
      declare('volumeset/g/a',
        { spec: { fileSystemType: 'ext4', initialCapacity: 200, performanceClass: 'high-throughput-ssd' } },
        { replace: true })],
    held: [live('gvc/g'), live('volumeset/g/a', volumeset(1)), live('volumeset/g/b', volumeset(1))],
    options: { allowDataLoss: 1 }, refused: ['delete.data', 'delete.data'] },
];

describe('refusals of a plan', () => {
  test.each(cases)('$it', ({ desired, held, state, options, refused }) => {
    expect(codes(plan(desired, snapshot(held, state), options))).toEqual(refused);
  });
});

describe('a refusal message', () => {
  test('names the stack that declares a missing resource', () => {
    const made = plan([declare('gvc/g', pulls('s'), {}, 3)], [], { elsewhere: new Map([['secret/s', 'base']]) });
    const [refusal] = changeOf(made, 'gvc/g').refusals;
    expect(refusal?.message).toContain('refers to secret/s, which the stack "base" declares');
  });

  test('names the domain that could be the parent', () => {
    const made = plan([declare('domain/a.b.example.com', ns, {}, 3)], []);
    expect(changeOf(made, 'domain/a.b.example.com').refusals[0]?.message).toContain('(example.com)');
  });

  test('replaces the note on a value that is known after the apply', () => {
    const notesWith = (...held: readonly LiveResource[]) =>
      changeOf(plan([gvc, taking(endpoint)], [liveGvc, ...held]), 'workload/g/w').notes;
    expect(notesWith(foreign('workload/g/api'))).toEqual([
      expect.stringContaining('known after apply: status.endpoint'),
    ]);
    expect(notesWith()).toEqual([]);
  });

  test('suggests no similar name of another kind', () => {
    const made = plan([declare('gvc/g', pulls('pul')), declare('group/pull')], []);
    expect(changeOf(made, 'gvc/g').refusals[0]?.message).toMatch(/neither declared nor live$/);
  });

  test('lists the cascade of each of several deleted GVCs', () => {
    const [mine, theirs] = [live('identity/g/app'), foreign('identity/h/app')];
    const closures = new Map([...closure('g', [mine]), ...closure('h', [theirs])]);
    const made = plan([group], snapshot([liveGroup, live('gvc/g'), live('gvc/h'), mine], { closures }));
    expect(changeOf(made, 'gvc/g')).toMatchObject({ action: 'delete', cascadesTo: ['identity/g/app'] });
    expect(changeOf(made, 'gvc/h')).toMatchObject({ action: 'refuse', cascadesTo: ['identity/h/app'] });
    expect(codes(made)).toEqual(['delete.bystander']);
  });
});
