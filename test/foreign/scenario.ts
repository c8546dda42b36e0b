import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Commands, excerpt, type Ran, written } from './commands.ts';
import {
  difference,
  guest,
  having,
  manifestsOf,
  type Project,
  pathOf,
  project,
  setting,
  strangers,
} from './project.ts';
import { isObject, type JsonObject, same } from './server/json.ts';
import { mask } from './server/present.ts';
import { type Served, serve } from './server/serve.ts';
import { limitsOf, rowsOf, type SwitchName } from './server/switches.ts';

export interface Finding {
  readonly step: string;
  readonly what: string;
  /** The command line, its exit code and the end of its output. */
  readonly said: string;
}

/** The permitted effects of a step, and its required result. */
interface Step {
  readonly name: string;
  readonly next: Project;
  readonly flags?: readonly string[];
  /** The ids of records that may be changed, created or deleted, besides Gantry's own tags. */
  readonly touches: readonly string[];
  readonly deletes?: readonly string[];
  /** Whether others wrote since the last step. */
  readonly othersWrote?: boolean;
}

const passwords = ['first-password', 'second-password', 'third-password'];
/** "the platform or somebody else" accuses no other writer. */
const blames = [
  /unknown writer/i,
  /(?<!the platform or )somebody else/i,
  /others? wrote/i,
  /written by others/i,
  /(?<!the platform itself or )another writer/i,
];
/** Platforms that show changes late. */
// biome-ignore format: a row is a case
const late: readonly SwitchName[] = [
  'reads-lag', 'lists-lag', 'gvc-in-background', 'all-in-background', 'delete-in-background', 'replaced-name-reserved',
];
/**
 * Platforms whose versions do not prove that no one else wrote, if there is no audit trail. A tag that is no longer
 * declared may then be another client's: it stays, a note names it, and "Verified" counts it.
 */
// biome-ignore format: a row is a case
const untold: readonly SwitchName[] = [
  'versions-jump', 'versions-global', 'versions-rise', 'versions-rise-twice', 'versions-constant', 'versions-epoch',
  'versions-from-0',
];
const codes = [0, 1, 2, 3, 4, 5, 6];

/**
 * The request limit of a plan without changes. On a complete platform, 23: a query for each of the 14 kinds; by query
 * and by name the two referenced records of others; the lists of GVCs and of the two unknown kinds; `/discovery`; the
 * value of the secret. On a platform with only GET by name: a query for each kind, the resources and 2 records of
 * others by name, the list of GVCs, `/discovery`, and the value.
 */
function mostReads(switches: readonly SwitchName[], resources: number): number {
  const [only] = switches;
  if (switches.length === 0) return 23;
  return switches.length === 1 && only === 'query-and-lists-absent' ? 19 + resources : Number.POSITIVE_INFINITY;
}

interface Lives {
  /** @default 1 */
  readonly seed?: number;
  /** Shows every command. */
  readonly trace?: boolean;
  /** Whether to kill applies, each of which is another process. @default true */
  readonly kills?: boolean;
}

/**
 * Two lives of the project on a platform with these switches: from the first apply to `destroy`, and a short one whose
 * first apply is killed, with the commands beside the stack. Returns the findings, none if all is well.
 */
export async function scenario(
  switches: readonly SwitchName[],
  { seed = 1, trace = false, kills = true }: Lives = {},
): Promise<readonly Finding[]> {
  const first = await lived(switches, seed, trace, (life) => life.run(kills));
  return [...first, ...(await lived(switches, seed, trace, (life) => life.short(kills ? seed : undefined)))];
}

async function lived(
  switches: readonly SwitchName[],
  seed: number,
  trace: boolean,
  live: (life: Life) => Promise<void>,
): Promise<readonly Finding[]> {
  const served = await serve(switches, seed);
  const life = new Life(served, switches, trace);
  try {
    await live(life);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    await served.close();
    life.close();
  }
  return life.findings;
}

/** Thrown if a step fails so that no later step can be checked. */
class Stopped extends Error {}

class Life {
  readonly findings: Finding[] = [];
  readonly #served: Served;
  readonly #limits: readonly string[];
  readonly #isUnusable: boolean;
  readonly #showsInWrites: boolean;
  readonly #isPlain: boolean;
  readonly #isLate: boolean;
  readonly #isUntold: boolean;
  /** The keys of uncertain tags, by path. */
  readonly #doubted = new Map<string, readonly string[]>();
  readonly #switches: readonly SwitchName[];
  readonly #settings: readonly string[];
  readonly #trace: boolean;
  readonly #commands: Commands;
  readonly #cwd = mkdtempSync(join(tmpdir(), 'foreign-'));
  /** A folder outside the stack. */
  readonly #elsewhere = mkdtempSync(join(tmpdir(), 'foreign-'));
  readonly #strangers = new Map<string, JsonObject>();
  #project: Project = [];
  #ids = new Map<string, string>();

  constructor(served: Served, switches: readonly SwitchName[], trace: boolean) {
    this.#served = served;
    this.#commands = new Commands(served, this.#cwd, trace);
    this.#trace = trace;
    this.#isPlain = switches.length === 0;
    this.#switches = switches;
    this.#isLate = switches.some((name) => late.includes(name));
    this.#isUntold = switches.some((name) => untold.includes(name));
    const rows = rowsOf(switches);
    this.#isUnusable = rows.some(({ use }) => String(use).startsWith('unusable'));
    this.#showsInWrites = rows.some(({ use }) => use === 'unusable-as-writes-show');
    this.#limits = limitsOf(switches);
    this.#settings = [...new Set(rows.flatMap((row) => row.settings ?? []))];
    writeFileSync(
      join(this.#cwd, 'gantry.yaml'),
      ['stack: shop', 'project: p3f9c07a', ...this.#settings, ''].join('\n'),
    );
  }

  close(): void {
    for (const folder of [this.#cwd, this.#elsewhere]) rmSync(folder, { recursive: true, force: true });
  }

  async run(kills: boolean): Promise<void> {
    for (const [path, body] of strangers) this.#plant(path, body);
    await this.#settled();
    await this.#doctor();
    await this.#apply({ name: 'apply', next: project, touches: project.map(idOf) });
    if (this.#isUnusable || this.#project.length === 0) return;
    await this.#nothingToDo('plan', ['apply', '.', '--yes']);
    const image = ['spec', 'containers', 0, 'image'];
    await this.#apply({
      name: 'change',
      next: setting(project, 'workload/web', image, 'nginx:2'),
      touches: ['workload/web'],
    });
    await this.#lists();
    await this.#tags();
    await this.#secret();
    await this.#saved();
    await this.#drift();
    await this.#adopt();
    await this.#prune();
    await this.#replace();
    if (kills) await this.#kill();
    await this.#destroy();
  }

  /** The process dies in the first apply, at a write that `seed` chooses, if any; then other commands of people run. */
  async short(seed: number | undefined): Promise<void> {
    for (const [path, body] of strangers) this.#plant(path, body);
    await this.#settled();
    this.#write(project);
    // The first life does not use a platform that cannot be used.
    if (this.#isUnusable) return;
    if (seed !== undefined) {
      await this.#commands.killed(1 + (seed % 9));
      await this.#settled();
    }
    await this.#apply({ name: 'apply', next: project, touches: project.map(idOf) });
    if (this.#project.length === 0) return;
    await this.#looks();
    await this.#client();
    await this.#part();
    await this.#doctorWrites();
  }

  /** Read-only commands, with no writes between them. */
  async #looks(): Promise<void> {
    const lines = [
      ['status', '.'],
      ['explain', '.', 'workload/shop/web'],
      ['drift', '.'],
      ['workload', 'get', 'web', '--gvc', 'shop', '-o', 'yaml'],
      ['secret', 'get', 'shop-db', '-o', 'yaml'],
      ['workload', 'get', 'web', '--gvc', 'shop', '-o', 'tf'],
      ['adopt', 'gvc/zoo', '--out', join(this.#elsewhere, 'adopted.yaml')],
      ['adopt', 'group/alien-team'],
    ];
    for (const line of lines) {
      const ran = await this.#command(line);
      this.#expect('looks', ran, ran.changes.length === 0, 'it writes');
      // The specification does not define whether a workload is ready; a group of another stack cannot be adopted.
      const mayEnd = line[0] === 'status' ? [0, 2] : line[0] === 'adopt' ? [0, 1, 3, 4] : [0];
      const isRefused = line[0] === 'drift' && this.#limits.includes('drift');
      // The exporter is not in the specification.
      const isUnexported = line.includes('tf') && /the service terraform-exporter cannot be used/.test(ran.stderr);
      const isRight = isRefused || isUnexported || (ran.code !== null && mayEnd.includes(ran.code));
      this.#expect('looks', ran, isRight, `exit code ${ran.code} of ${line[0]}`);
      this.#common('looks', ran, false);
    }
  }

  /** A person writes with the client; the next apply restores the declared values. */
  async #client(): Promise<void> {
    const image = ['spec', 'containers', 0, 'image'];
    const by = async (line: readonly string[], next: Project, touches: readonly string[]): Promise<boolean> =>
      this.#changed({ name: 'client', next, touches, othersWrote: true }, await this.#command(line));
    const other = setting(this.#project, 'workload/web', image, 'nginx:9');
    const before = this.#project;
    const set = ['--set', 'spec.containers.main.image=nginx:9'];
    if (!(await by(['workload', 'update', 'web', '--gvc', 'shop', ...set], other, ['workload/web']))) return;
    const described = setting(other, 'secret/shop-db', ['description'], 'Of the shop');
    const line = ['secret', 'update', 'shop-db', '--set', 'description=Of the shop'];
    if (!(await by(line, described, ['secret/shop-db']))) return;
    const edited = setting(described, 'workload/web', ['spec', 'containers', 0, 'env', 0, 'value'], 'slow');
    if (!(await by(['workload', 'edit', 'web', '--gvc', 'shop', '--yes'], edited, ['workload/web']))) return;
    const created = { kind: 'group', name: 'beside', description: 'By hand' };
    const make = ['group', 'create', '--name', 'beside', '--description', 'By hand'];
    if (!(await by(make, [...edited, created], ['group/beside']))) return;
    const tagged = [...edited, { ...created, tags: { from: 'hand' } }];
    if (!(await by(['group', 'tag', 'beside', '--tag', 'from=hand'], tagged, ['group/beside']))) return;
    const deleted = await this.#command(['group', 'delete', 'beside', '--yes']);
    if (!(await this.#changed({ name: 'client', next: edited, touches: [], deletes: ['group/beside'] }, deleted)))
      return;
    await this.#apply({ name: 'client', next: before, touches: ['workload/web', 'secret/shop-db'], othersWrote: true });
  }

  /** Another stack owns a member of a group of the project's stack, and then releases it. */
  async #part(): Promise<void> {
    const [robot, helper] = ['//serviceaccount/robot', '//serviceaccount/helper'];
    this.#plant('/org/local/serviceaccount/helper', { tags: {} });
    await this.#settled();
    const cwd = mkdtempSync(join(tmpdir(), 'foreign-'));
    try {
      writeFileSync(join(cwd, 'gantry.yaml'), ['stack: side', 'project: p3f9c07a', ...this.#settings, ''].join('\n'));
      const part = { kind: 'group', name: 'shop-team', memberLinks: [helper], lifecycle: { part: true } };
      writeFileSync(join(cwd, 'stack.yaml'), manifestsOf([part]));
      const before = this.#project;
      const both = setting(before, 'group/shop-team', ['memberLinks'], [robot, helper]);
      const side = new Commands(this.#served, cwd, this.#trace);
      const given = await this.#command(['apply', '.', '--yes'], side);
      if (!(await this.#changed({ name: 'part', next: both, touches: ['group/shop-team'] }, given))) return;
      this.#write(before);
      await this.#nothingToDo('part', ['plan', '.', '--detailed-exitcode']);
      const taken = await this.#command(['destroy', '.', '--yes'], side);
      // If versions do not prove who wrote last, the member may be another client's: it stays, with a note.
      if (this.#isUntold && /^Note: group\/shop-team: .* stays:/m.test(taken.stdout)) return;
      await this.#changed({ name: 'destroy', next: before, touches: ['group/shop-team'] }, taken);
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  }

  /** `doctor` deletes the records that it creates, and changes no others. */
  async #doctorWrites(): Promise<void> {
    const before = [...this.#served.platform.records().keys()];
    const ran = await this.#command(['doctor', '--write', '--yes']);
    await this.#settled();
    const after = [...this.#served.platform.records().keys()];
    const left = after.filter((path) => !before.includes(path));
    this.#expect('doctor --write', ran, left.length === 0, `it leaves ${left.join(', ')}`);
    const isElsewhere = ran.changes.some(({ path }) => before.includes(path));
    this.#expect('doctor --write', ran, !isElsewhere, 'it writes to what it has not made');
    const isSound = this.#limits.length === 0;
    if (isSound)
      this.#expect('doctor --write', ran, ran.code === 0, `exit code ${ran.code} of a platform that can all`);
    if (this.#isPlain) this.#expect('doctor --write', ran, ran.requests <= 120, 'it sends more than 120 requests');
    this.#common('doctor --write', ran, false);
  }

  #plant(path: string, body: JsonObject): void {
    this.#served.platform.plant(path, body);
    this.#strangers.set(path, body);
  }

  /** `doctor` without writes reports the platform as the switches define it. */
  async #doctor(): Promise<void> {
    const ran = await this.#command(['doctor']);
    this.#expect(
      'doctor',
      ran,
      ran.writes.every(({ status }) => status >= 400),
      'doctor writes',
    );
    this.#expect('doctor', ran, !/payload-of-/.test(ran.stdout + ran.stderr), 'it shows the value of a secret');
    if (this.#isPlain) this.#expect('doctor', ran, ran.requests <= 60, 'it sends more than 60 requests');
    const isSound = this.#limits.length === 0 && !this.#isUnusable;
    if (isSound) this.#expect('doctor', ran, ran.code === 0, `exit code ${ran.code} of a platform that can all`);
    if (this.#isUnusable && !this.#showsInWrites) {
      this.#expect('doctor', ran, ran.code !== 0, 'it calls a platform usable that is not');
    }
  }

  async #lists(): Promise<void> {
    const container = ['spec', 'containers', 0];
    const env = [
      { name: 'C_NEW', value: 'new' },
      { name: 'A_COUNT', value: '2' },
    ];
    const more = setting(this.#project, 'workload/web', [...container, 'env'], env);
    const ports = [
      { number: 8080, protocol: 'http' },
      { number: 9000, protocol: 'http' },
    ];
    const all = setting(more, 'workload/web', [...container, 'ports'], ports);
    const args = setting(all, 'workload/web', [...container, 'args'], ['--all']);
    await this.#apply({ name: 'lists', next: args, touches: ['workload/web'] });
    const off = setting(this.#project, 'workload/web', [...container, 'inheritEnv'], false);
    await this.#apply({ name: 'false', next: off, touches: ['workload/web'] });
  }

  async #tags(): Promise<void> {
    const tags = setting(this.#project, 'gvc/shop', ['tags'], { team: 'store', cost: 'low' });
    const described = setting(tags, 'group/shop-team', ['description'], 'The team');
    const named = setting(described, 'identity/backend', ['description'], undefined);
    await this.#apply({ name: 'tags', next: named, touches: ['gvc/shop', 'group/shop-team', 'identity/backend'] });
  }

  async #secret(): Promise<void> {
    const next = setting(this.#project, 'secret/shop-db', ['data', 'password'], 'second-password');
    const step = { name: 'secret', next, touches: ['secret/shop-db'] };
    // A value that cannot be read is written only on request.
    await this.#apply(this.#limits.includes('secret') ? { ...step, flags: ['--write-unknown-secrets'] } : step);
  }

  /** A saved plan and its undo: of an image, then of an image and a secret. */
  async #saved(): Promise<void> {
    const image = ['spec', 'containers', 0, 'image'];
    const before = this.#project;
    const next = setting(before, 'workload/web', image, 'nginx:3');
    if (!(await this.#savedApply('saved', next, ['workload/web']))) return;
    await this.#undo('undo', before, ['workload/web']);
    const password = this.#limits.includes('secret') ? 'second-password' : 'third-password';
    const secret = setting(this.#project, 'secret/shop-db', ['data', 'password'], password);
    const both = setting(secret, 'workload/web', image, 'nginx:4');
    if (!(await this.#savedApply('saved-secret', both, ['workload/web', 'secret/shop-db']))) return;
    // A saved plan does not contain the value of a secret, so it stays.
    await this.#undo('undo-secret', setting(both, 'workload/web', image, 'nginx:2'), [
      'workload/web',
      'secret/shop-db',
    ]);
  }

  async #savedApply(name: string, next: Project, touches: readonly string[]): Promise<boolean> {
    this.#write(next);
    const planned = await this.#command(['plan', '.', '--out', 'saved.plan']);
    if (this.#isRefused(name, planned)) return false;
    this.#expect(name, planned, planned.code === 0, 'the plan is not saved');
    return this.#changed({ name, next, touches }, await this.#command(['apply', 'saved.plan', '--yes']));
  }

  async #undo(name: string, next: Project, touches: readonly string[]): Promise<void> {
    const planned = await this.#command(['undo', 'saved.plan', '--out', 'back.plan']);
    if (this.#isRefused(name, planned)) return;
    this.#expect(name, planned, planned.code === 0, 'the plan cannot be undone');
    const applied = await this.#command(['apply', 'back.plan', '--yes']);
    this.#write(next);
    await this.#changed({ name, next, touches }, applied);
  }

  async #drift(): Promise<void> {
    const none = await this.#command(['drift', '.', '--detailed-exitcode']);
    if (this.#isRefused('drift', none)) return;
    this.#expect('drift', none, none.code === 0, 'drift where nobody else wrote');
    this.#words('drift', none, false);
    const path = '/org/local/gvc/shop/workload/web';
    const record = this.#served.platform.records().get(path);
    const spec = record?.['spec'];
    if (record === undefined || !isObject(spec)) throw new Stopped();
    const taken = setting(
      [{ kind: 'workload', name: 'web', ...record }],
      'workload/web',
      ['spec', 'containers', 0, 'image'],
      'evil:1',
    );
    const body = taken[0] ?? {};
    const { kind: _kind, name: _name, id: _id, ...rest } = body;
    this.#served.platform.plant(path, rest);
    await this.#settled();
    const some = await this.#command(['drift', '.', '--detailed-exitcode']);
    this.#expect('drift', some, some.code === 2 && some.stdout.includes('workload/shop/web'), 'drift is not seen');
    await this.#apply({ name: 'drift', next: this.#project, touches: ['workload/web'], othersWrote: true });
  }

  async #adopt(): Promise<void> {
    const body = { memberLinks: ['//serviceaccount/robot'], tags: { from: 'hand' }, description: 'By hand' };
    this.#served.platform.plant('/org/local/group/legacy', body);
    await this.#settled();
    const legacy = { kind: 'group', name: 'legacy', ...body };
    const next = [...this.#project, legacy];
    this.#write(next);
    const refused = await this.#command(['apply', '.', '--yes']);
    this.#expect('adopt', refused, refused.code === 3, 'a record of nobody is taken without --adopt');
    this.#expect('adopt', refused, refused.changes.length === 0, 'a refused plan wrote');
    await this.#apply({ name: 'adopt', next, touches: ['group/legacy'], flags: ['--adopt'] });
  }

  async #prune(): Promise<void> {
    const next = having(this.#project, 'group/shop-team', () => undefined);
    await this.#apply({ name: 'prune', next, touches: [], deletes: ['group/shop-team'] });
  }

  async #replace(): Promise<void> {
    const type = setting(this.#project, 'workload/web', ['spec', 'type'], 'serverless');
    const port = setting(
      type,
      'workload/web',
      ['spec', 'containers', 0, 'ports'],
      [{ number: 8080, protocol: 'http' }],
    );
    const touches = ['workload/web', 'domain/shop.example.com'];
    await this.#apply({ name: 'replace', next: port, touches, deletes: ['workload/web'] });
    const size = { fileSystemType: 'ext4', performanceClass: 'high-throughput-ssd', initialCapacity: 200 };
    const larger = setting(this.#project, 'volumeset/files', ['spec'], size);
    const next = setting(larger, 'volumeset/files', ['lifecycle'], { replace: true });
    const flags = ['--allow-data-loss', '1'];
    const step = { name: 'replace', next, flags, touches: ['volumeset/files', 'workload/database'] };
    await this.#apply({ ...step, deletes: ['volumeset/files', 'workload/database'] });
  }

  /** The process dies after its second write; the same command continues. */
  async #kill(): Promise<void> {
    const image = ['spec', 'containers', 0, 'image'];
    const web = setting(this.#project, 'workload/web', image, 'nginx:5');
    const db = setting(web, 'workload/database', image, 'registry.example.com/postgres:18');
    const gvc = setting(db, 'gvc/shop', ['spec', 'env', 0, 'value'], 'debug');
    const next = [...gvc, { kind: 'group', name: 'late', memberLinks: ['//serviceaccount/robot'] }];
    this.#write(next);
    await this.#commands.killed(2);
    await this.#settled();
    const touches = ['workload/web', 'workload/database', 'gvc/shop', 'group/late'];
    await this.#apply({ name: 'kill', next, touches });
    // Between the deletion and the creation of a replacement.
    const back = setting(next, 'workload/web', ['spec', 'type'], 'standard');
    this.#write(back);
    await this.#commands.killed(2);
    await this.#settled();
    await this.#apply({ name: 'kill', next: back, touches, deletes: ['workload/web'] });
  }

  async #destroy(): Promise<void> {
    const owned = this.#project;
    const line = ['destroy', '.', '--yes', '--allow-data-loss', '1'];
    // Two records of others in the GVC of the stack are deleted with it only if both are permitted.
    for (const name of ['a-guest', 'z-guest']) this.#plant(`/org/local/gvc/shop/workload/${name}`, guest);
    await this.#settled();
    for (const flags of [[], ['--allow-collateral', '1']]) {
      const ran = await this.#command([...line, ...flags]);
      this.#expect(
        'destroy',
        ran,
        ran.changes.length === 0,
        'it deletes although it was not allowed to delete two of others',
      );
      this.#common('destroy', ran, false);
    }
    for (const name of ['a-guest', 'z-guest']) {
      this.#strangers.delete(`/org/local/gvc/shop/workload/${name}`);
      this.#served.platform.uproot(`/org/local/gvc/shop/workload/${name}`);
    }
    await this.#settled();
    const refused = await this.#command(line);
    if (this.#isRefused('destroy', refused)) return;
    const isUnseen = refused.code === 3 && refused.stdout.includes('delete.unseen');
    // The specification has no request for what a key may view (5.5): reported once, on the plain platform.
    if (isUnseen && this.#isPlain) this.#expect('destroy', refused, false, 'not knowing permissions is taken for a no');
    const ran = isUnseen ? await this.#command([...line, '--allow-unseen']) : refused;
    if (this.#isRefused('destroy', ran)) return;
    this.#expect('destroy', ran, ran.code === 0, `exit code ${ran.code}`);
    const left = owned.map(pathOf).filter((path) => this.#served.platform.records().has(path));
    if (ran.code === 0) this.#expect('destroy', ran, left.length === 0, `still there: ${left.join(', ')}`);
    this.#common('destroy', ran, false);
  }

  #write(next: Project): void {
    writeFileSync(join(this.#cwd, 'stack.yaml'), manifestsOf(next));
  }

  async #command(args: readonly string[], commands = this.#commands): Promise<Ran> {
    const ran = await commands.run(args);
    if ('writes' in ran) return ran;
    this.findings.push({ step: args[0] ?? '', what: 'it does not end', said: ran.said });
    throw new Stopped();
  }

  /** Whether a refusal is clear, before any write, and permitted by a switch. */
  #isRefused(name: string, ran: Ran): boolean {
    const isPermitted = this.#isUnusable || this.#limits.includes(name);
    const isToldOnly =
      ran.code === 0 && ran.changes.length === 0 && /nothing is deleted because/.test(ran.stdout + ran.stderr);
    if (!isPermitted || (ran.code === 0 && !isToldOnly) || ran.code === 2) return false;
    if (isToldOnly) {
      this.#write(this.#project);
      return true;
    }
    // Only its answer shows that a platform drops `false`, or tags.
    const mayWrite = (name === 'false' || this.#showsInWrites) && ran.code === 5;
    // The mark of a replacement is a tag of Gantry's own, which is removed again.
    const changes = ran.changes.filter(({ before, after }) => !same(withoutOwnTags(before), withoutOwnTags(after)));
    this.#expect(
      name,
      ran,
      mayWrite || changes.length === 0,
      `refused after writes: ${changes.map(({ path }) => path).join(', ')}`,
    );
    this.#expect(name, ran, /\berror\b|refused/i.test(ran.stderr + ran.stdout), 'refused without a reason');
    this.#common(name, ran, false);
    this.#write(this.#project);
    return true;
  }

  async #apply(step: Step): Promise<void> {
    this.#write(step.next);
    const ran = await this.#command(['apply', '.', '--yes', ...(step.flags ?? [])]);
    if (!(await this.#changed(step, ran))) return;
    await this.#nothingToDo(step.name, ['plan', '.', '--detailed-exitcode']);
  }

  /** Checks the effect of a command on the records. Returns whether the command was carried out. */
  async #changed({ name, next, touches, deletes = [], othersWrote = false }: Step, ran: Ran): Promise<boolean> {
    if (this.#isRefused(name, ran)) return false;
    // Without `created`, nothing shows whether a record existed before a creation whose answer was lost.
    const isInDoubt =
      this.#switches.includes('timestamps-absent') && /such a record may have been there before/.test(ran.stderr);
    // If versions do not prove who wrote last, no more can be said of a write whose answer was lost.
    const isUnsure =
      this.#isUntold && /the write of this run is there, and its answer was lost/.test(`${ran.stdout}${ran.stderr}`);
    if (isUnsure && ran.code === 5 && this.#switches.includes('lost-answers')) return this.#again(name, next);
    this.#expect(name, ran, ran.code === (isInDoubt ? 6 : 0), `exit code ${ran.code}`);
    const paths = new Set(
      next
        .concat(this.#project)
        .filter((one) => touches.includes(idOf(one)))
        .map(pathOf),
    );
    const mayGo = new Set(
      next
        .concat(this.#project)
        .filter((one) => deletes.includes(idOf(one)))
        .map(pathOf),
    );
    for (const { path, method, before, after } of ran.changes) {
      const isOwnTag = same(withoutOwnTags(before), withoutOwnTags(after));
      if (method === 'DELETE') this.#expect(name, ran, mayGo.has(path), `${path} was deleted`);
      else this.#expect(name, ran, paths.has(path) || isOwnTag, `${path} was changed: ${method}`);
    }
    await this.#settled();
    this.#doubt(name, ran);
    const wrong = this.#divergences(next);
    if (ran.code === 0) for (const one of wrong) this.#expect(name, ran, false, one);
    this.#common(name, ran, othersWrote, wrong.length > 0);
    if (wrong.length > 0) {
      if (ran.code !== 0 && (await this.#again(name, next))) return true;
      throw new Stopped();
    }
    this.#remember(next);
    return true;
  }

  /** The run's messages about uncertain tags. */
  #doubt(name: string, ran: Ran): void {
    const notes = [...ran.stdout.matchAll(/^Note: (\S+): tags\.(\S+) stays: somebody may have set it/gm)];
    if (!this.#isUntold || notes.length === 0) return;
    for (const [, id = '', key = ''] of notes) {
      const [kind = '', first = '', second] = id.split('/');
      const path = second === undefined ? `/org/local/${id}` : `/org/local/gvc/${first}/${kind}/${second}`;
      this.#doubted.set(path, [...(this.#doubted.get(path) ?? []), key]);
    }
    const isCounted = new RegExp(`^Verified: .*; ${notes.length} values? .* stays?\\.`, 'm').test(ran.stdout);
    this.#expect(name, ran, isCounted, '"Verified" does not count what stays');
  }

  /** "run-again: the same command continues". */
  async #again(name: string, next: Project): Promise<boolean> {
    const ran = await this.#command(['apply', '.', '--yes']);
    await this.#settled();
    const wrong = this.#divergences(next);
    this.#expect(
      name,
      ran,
      ran.code === 0 && wrong.length === 0,
      `the second time: exit code ${ran.code}, ${wrong.join('; ')}`,
    );
    if (wrong.length === 0) this.#remember(next);
    return wrong.length === 0;
  }

  /** Resolves when background work of the platform is done. */
  async #settled(): Promise<void> {
    if (this.#isLate) await pause(450);
  }

  #remember(next: Project): void {
    this.#project = next;
    const records = this.#served.platform.records();
    this.#ids = new Map(next.map(pathOf).map((path) => [path, records.get(path)?.id ?? '']));
  }

  #divergences(next: Project): readonly string[] {
    const records = this.#served.platform.records();
    const wrong = next.flatMap((manifest) => {
      const path = pathOf(manifest);
      const found = difference(manifest, this.#served.platform.inForce(path), this.#doubted.get(path));
      return found === undefined ? [] : [`${idOf(manifest)}: ${found}`];
    });
    const paths = next.map(pathOf);
    const left = this.#project.map(pathOf).filter((path) => !paths.includes(path) && records.has(path));
    return [...wrong, ...left.map((path) => `${path} is still there`)];
  }

  async #nothingToDo(name: string, line: readonly string[]): Promise<void> {
    const ran = await this.#command(line);
    if (this.#isRefused(name, ran)) return;
    this.#expect(name, ran, ran.code === 0, `exit code ${ran.code} of a plan with nothing to do`);
    const most = mostReads(this.#switches, this.#project.length);
    this.#expect(name, ran, ran.requests <= most, `${ran.requests} requests, and not ${most}`);
    const what = ran.writes.map(written).join('; ');
    this.#expect(name, ran, ran.changes.length === 0, `changed without a need: ${what}`);
    this.#common(name, ran, false);
    const records = this.#served.platform.records();
    for (const [path, id] of this.#ids) {
      this.#expect(name, ran, records.get(path)?.id === id, `${path} is another record than before`);
    }
    const wrong = this.#divergences(this.#project);
    for (const one of wrong) this.#expect(name, ran, false, one);
    if (wrong.length > 0) throw new Stopped();
  }

  /** Checks that apply to every command. */
  #common(name: string, ran: Ran, othersWrote: boolean, isWrong = false): void {
    this.#words(name, ran, othersWrote);
    const said = ran.stdout + ran.stderr;
    this.#expect(name, ran, !(isWrong && /^\s*Verified/m.test(said)), 'it says "Verified", and it is not so');
    this.#expect(name, ran, ran.code !== null && codes.includes(ran.code), `exit code ${ran.code} is not documented`);
    const records = this.#served.platform.records();
    for (const [path, body] of this.#strangers) {
      const { id: _id, ...now } = records.get(path) ?? { id: '' };
      this.#expect(name, ran, same(now, body), `a stranger's record is another one: ${path}`);
    }
    for (const { body, path, method } of ran.writes) {
      const text = JSON.stringify(body ?? null);
      this.#expect(name, ran, !text.includes(mask) && !/sensitive/.test(text), `a mask was sent to ${path}`);
      this.#expect(
        name,
        ran,
        method !== 'PATCH' || !text.includes('"acme/'),
        `a tag of the platform was patched in ${path}`,
      );
    }
    for (const [path, body] of records) {
      const text = JSON.stringify(body);
      this.#expect(
        name,
        ran,
        !text.includes(mask) && !/"\$|sensitive/.test(text),
        `${path} holds what is no value: ${text}`,
      );
    }
  }

  #words(name: string, ran: Ran, othersWrote: boolean): void {
    const said = ran.stdout + ran.stderr;
    const blame = blames.find((one) => one.test(said));
    if (!othersWrote && name !== 'kill') {
      this.#expect(name, ran, blame === undefined, `it blames others, and nobody else wrote: ${String(blame)}`);
    }
    for (const password of passwords) {
      this.#expect(name, ran, !said.includes(password), 'it shows the value of a secret');
    }
  }

  #expect(step: string, ran: Ran, holds: boolean, what: string): void {
    if (holds) return;
    this.findings.push({ step, what, said: excerpt(ran, 1500) });
  }
}

function idOf(manifest: JsonObject): string {
  return `${manifest['kind']}/${manifest['name']}`;
}

function withoutOwnTags(record: JsonObject | undefined): JsonObject | undefined {
  if (record === undefined) return undefined;
  const tags = isObject(record['tags']) ? record['tags'] : {};
  const others = Object.entries(tags).filter(([key]) => !key.startsWith('gantry/'));
  return { ...record, tags: Object.fromEntries(others) };
}
