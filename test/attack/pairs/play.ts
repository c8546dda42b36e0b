import { isArray, isObject, type JsonObject, type JsonValue, objectAt } from '../../../src/base/json/json.ts';
import { writesSince } from '../../e2e/harness/platform.ts';
import type { Outcome } from '../../outcome.ts';
import { type Act, formOf, type PartName, type Values, type Way, type World } from './acts.ts';
import { dotted, type Flat, flatten, isWithin, matches, unflatten } from './flat.ts';
import { asBindings, byPrincipal, type KindForm, org, renamed } from './kinds.ts';
import {
  afterOwner,
  afterPart,
  claims,
  covers,
  type Expected,
  firstDifference,
  itemsAround,
  type Known,
} from './oracle.ts';
import { manifestOf, type Stage } from './stage.ts';

/** How a world broke a law. */
export interface Broken {
  /** The index of the act, from 0. */
  readonly act: number;
  readonly law: string;
  readonly seen: string;
}

/** Plays a world from the beginning. Returns undefined if every law held. */
export async function play(stage: Stage, world: World): Promise<Broken | undefined> {
  await stage.reset();
  const player = new Player(stage, formOf(world.kind));
  for (const [index, act] of world.acts.entries()) {
    const broken = await player.take(act);
    if (broken !== undefined) return { act: index, ...broken };
    if (player.over) return undefined;
  }
  const broken = await player.end();
  return broken === undefined ? undefined : { act: world.acts.length - 1, ...broken };
}

type Fault = Omit<Broken, 'act'>;

class Player {
  readonly #stage: Stage;
  #form: KindForm;
  readonly #declared = new Map<string, Flat>();
  readonly #touched = new Set<string>();
  readonly #released = new Set<string>();
  /** The last declaration of each stack, unless a person or a newer platform came after it. */
  readonly #settled = new Map<string, JsonObject>();
  /** Touched paths that the owner no longer declares: its claims have ended, perhaps unrecorded. */
  readonly #lapsed = new Set<string>();
  /** Paths that a person touched last. */
  readonly #byPerson = new Set<string>();
  /** A newer platform has changed the record: its values match no recorded version. */
  #learnt = false;
  #live: Flat | undefined;
  /** The form with the old name, during a renaming. */
  #old: KindForm | undefined;
  #before: Memory | undefined;
  /** The last apply of a saved plan, and the memory before it. */
  #last: { readonly stack: string; readonly before: Memory } | undefined;
  over = false;

  constructor(stage: Stage, form: KindForm) {
    this.#stage = stage;
    this.#form = form;
  }

  get #collection(): string {
    return `${org}/${this.#form.scope === 'gvc' ? 'gvc/base/' : ''}${this.#form.kind}`;
  }

  get #path(): string {
    return `${this.#collection}/${this.#form.name}`;
  }

  async take(act: Act): Promise<Fault | undefined> {
    this.#before = this.#memory();
    if ('undoes' in act) return this.#undo(act.by);
    this.#last = undefined;
    if ('destroys' in act) return this.#destroy(act.by);
    if ('makes' in act) return this.#make(act.makes);
    if (act.by === 'person' || act.by === 'platform') this.#settled.clear();
    if (act.by === 'person') return this.#edit(act);
    if (act.by === 'platform') return this.#learn(act.set);
    const declares: Flat = new Map(Object.entries(act.declares));
    if (act.by !== 'owner') {
      if (this.#live === undefined) return undefined;
      const manifest = manifestOf(this.#form, act.declares, { part: true, ...adopting(act) });
      const expected = afterPart(this.#form, this.#known(), act.by, declares);
      return this.#apply(act.by, manifest, declares, expected, [], act);
    }
    const ignore = act.ignore.map(dotted);
    const old = this.#form;
    const renames = act.renames === true && this.#declared.has('owner');
    if (renames) this.#form = renamed(old, `${old.name}-new`);
    const lifecycle = {
      replace: true,
      ...(ignore.length > 0 ? { ignore } : {}),
      ...(renames ? { previously: old.name } : {}),
      ...adopting(act),
    };
    const expected = afterOwner(this.#form, this.#known(), { declares, ignore: act.ignore, renames });
    const manifest = manifestOf(this.#form, act.declares, lifecycle);
    if (renames) this.#old = old;
    const fault = await this.#apply('owner', manifest, declares, expected, act.ignore, act);
    this.#old = undefined;
    return fault;
  }

  #forget(stack: string): void {
    this.#declared.delete(stack);
    this.#settled.delete(stack);
  }

  async #make(declares: Values): Promise<undefined> {
    await this.#stage.platform.call('POST', this.#collection, manifestOf(this.#form, declares, {}));
    this.#live = await this.#read();
    this.#notice(new Map(), this.#live ?? new Map(), 'person');
  }

  /** Demands that the changes of one stack leave nothing to do for the others. */
  async end(): Promise<Fault | undefined> {
    for (const [stack, manifest] of this.#settled) {
      const plan = await this.#stage.run(stack, ['plan', '.', '-o', 'json', '--detailed-exitcode'], [manifest]);
      if (plan.code !== 0)
        return { law: 'what one stack did is nothing to do for another', seen: `${stack}: ${changesIn(plan)}` };
    }
    return undefined;
  }

  #known(): Known {
    return {
      live: this.#live,
      declared: this.#declared,
      touched: this.#touched,
      persons: this.#learnt ? new Set() : this.#byPerson,
      released: this.#released,
    };
  }

  async #apply(
    stack: string,
    manifest: JsonObject,
    declares: Flat,
    expected: Expected,
    ignore: readonly string[],
    way: Way,
  ): Promise<Fault | undefined> {
    const { platform } = this.#stage;
    this.#stage.pairs += 1;
    const from = await platform.seen();
    const outcome = await this.#run(stack, manifest, way);
    await platform.seen();
    const document = parsed(outcome);
    // A refused renaming changed nothing; a successful one removes the parts of others.
    if (this.#old !== undefined && outcome.code !== 0) this.#form = this.#old;
    if (this.#old !== undefined && outcome.code === 0)
      for (const each of [...this.#declared.keys()]) if (each !== 'owner') this.#forget(each);
    const [before, actual] = [this.#live, await this.#read()];
    if (outcome.code !== 0) {
      const isKept = (path: string) => before?.has(path) === true && ignore.some((pattern) => covers(pattern, path));
      const used = new Map([...declares].filter(([path]) => !isKept(path)));
      return this.#refused(stack, outcome, document, before, actual, writesSince(platform, from), used);
    }
    this.#stage.applied += 1;
    const contradicted = this.#contradicted(
      stack,
      new Map([...declares].filter(([path]) => !ignore.some((pattern) => covers(pattern, path)))),
      way,
    );
    if (contradicted !== undefined) return { law: 'one item has one value, whoever declares it', seen: contradicted };
    if (actual === undefined) return { law: 'what was declared is there', seen: 'there is no record' };
    const difference = firstDifference(this.#form, expected, actual);
    if (difference !== undefined)
      return { law: 'what was declared holds, and nothing else has changed', seen: difference };
    if (isObject(document['result']) && document['result']['verified'] !== true)
      return { law: 'it says that it is verified', seen: outcome.stdout.slice(-1500) };
    this.#leftBehind(stack, actual);
    const wrote = writesSince(platform, from).length > 0;
    if (way.saved === true && wrote && this.#before !== undefined) this.#last = { stack, before: this.#before };
    this.#tookPlace(stack, declares, before, actual, ignore, way);
    const order = this.#orderOf(declares, actual, stack, ignore);
    if (order !== undefined) return { law: 'the order is that of the code', seen: order };
    const again = await this.#stage.run(stack, ['plan', '.', '-o', 'json', '--detailed-exitcode'], [manifest]);
    if (again.code !== 0) return { law: 'a second plan is empty', seen: changesIn(again) };
    // The owner and the part may both claim the owner's items now, and the owner records that.
    if (way.adopt === true && stack !== 'owner') this.#settled.delete('owner');
    // It also records that if its claim has ended unnoticed: no law forbids it, and the part cannot do it earlier.
    if (stack !== 'owner' && [...declares.keys()].some((path) => this.#lapsed.has(path))) this.#settled.delete('owner');
    this.#settled.set(stack, manifest);
    return undefined;
  }

  async #run(stack: string, manifest: JsonObject, { saved }: Way): Promise<Outcome> {
    const flags = ['--max-deletes', '50'];
    const run = async (more: readonly string[]): Promise<Outcome> => {
      if (saved === true) {
        const plan = await this.#stage.run(stack, ['plan', '.', '--out', 'kept.plan', ...flags, ...more], [manifest]);
        if (plan.code === 0) return this.#stage.run(stack, ['apply', 'kept.plan', '--yes', '-o', 'json'], [manifest]);
      }
      return this.#stage.run(stack, ['apply', '.', '--yes', '-o', 'json', ...flags, ...more], [manifest]);
    };
    const outcome = await run([]);
    const collateral = /--allow-collateral=\d+/.exec(outcome.stdout)?.[0];
    const isRenaming = isObject(manifest['lifecycle']) && manifest['lifecycle']['previously'] !== undefined;
    return isRenaming && outcome.code === 3 && collateral !== undefined ? run([collateral]) : outcome;
  }

  /** Undoes the last apply: the values, and who owns them. */
  async #undo(stack: string): Promise<Fault | undefined> {
    const last = this.#last;
    this.#last = undefined;
    if (last === undefined || last.stack !== stack) return undefined;
    this.#stage.undone += 1;
    const made = await this.#stage.run(stack, ['undo', 'kept.plan', '--out', 'back.plan', '-o', 'json']);
    if (made.stdout.includes('cannot be undone') || made.stdout.includes('undo.impossible')) {
      this.over = true;
      // For a secret or a replacement, the undo reports the loss.
      const isLost = this.#form.kind === 'secret' || /deleted and created again|deleted/.test(made.stdout);
      return isLost ? undefined : { law: 'an undo takes everything back', seen: made.stdout.slice(0, 900) };
    }
    if (made.code !== 0) return { law: 'what was applied can be undone', seen: made.stdout.slice(0, 1500) };
    const outcome = await this.#stage.run(stack, ['apply', 'back.plan', '--yes', '-o', 'json']);
    // A field of the newer platform cannot be written back to the platform of these worlds.
    this.over = this.#learnt && outcome.stdout.includes('\\"future\\" is not allowed here');
    if (this.over) return undefined;
    if (outcome.code !== 0) return { law: 'an undo ends well', seen: outcome.stdout.slice(-1500) };
    const undone = this.#live ?? new Map();
    const isMadeAnew = this.#form.name !== last.before.form.name;
    this.#recall(last.before);
    // Values of others since the last mark of a record that is created again are uncertain, and none is removed.
    if (isMadeAnew) {
      for (const declared of this.#declared.values()) for (const path of declared.keys()) this.#released.add(path);
      // A part that adopts takes them over again.
      for (const [part, { lifecycle }] of this.#settled) {
        if (isObject(lifecycle) && lifecycle['adopt'] === true && part !== 'owner') this.#settled.delete(part);
      }
    }
    const actual = await this.#read();
    if (this.#live === undefined || actual === undefined) {
      this.over = true;
      return this.#live === actual ? undefined : { law: 'an undo restores values', seen: 'there, or not there' };
    }
    // Other stacks see another author for the values that the undo restored: uncertain values stay (law 2).
    for (const [path, value] of this.#live) {
      if (text(undone.get(path)) === text(value)) continue;
      for (const each of [...itemsAround(this.#form, path), path]) this.#released.add(each);
    }
    const isDoubtful = this.#form.bindings === true && [...this.#touched].some((path) => path.startsWith('bindings|'));
    const same = new Map<string, readonly (JsonValue | undefined)[]>();
    for (const [path, value] of this.#live) same.set(path, [value]);
    // A new binding may come from an edited binding of a part: it stays, with a note.
    for (const path of actual.keys()) if (isDoubtful && !same.has(path)) same.set(path, [undefined, actual.get(path)]);
    const difference = firstDifference(this.#form, same, actual);
    if (difference !== undefined) return { law: 'an undo restores values', seen: difference };
    this.#live = actual;
    const manifest = this.#settled.get(stack);
    if (manifest === undefined) return undefined;
    const again = await this.#stage.run(stack, ['plan', '.', '-o', 'json', '--detailed-exitcode'], [manifest]);
    return again.code === 0
      ? undefined
      : { law: 'after an undo the code of before has nothing to do', seen: changesIn(again) };
  }

  #memory(): Memory {
    return {
      form: this.#form,
      live: this.#live,
      declared: new Map(this.#declared),
      settled: new Map(this.#settled),
      touched: new Set(this.#touched),
      released: new Set(this.#released),
      byPerson: new Set(this.#byPerson),
    };
  }

  #recall(memory: Memory): void {
    this.#form = memory.form;
    this.#live = memory.live;
    const refill = <K, V>(map: Map<K, V>, from: ReadonlyMap<K, V>) => {
      map.clear();
      for (const [key, value] of from) map.set(key, value);
    };
    refill(this.#declared, memory.declared);
    refill(this.#settled, memory.settled);
    for (const [set, from] of [
      [this.#touched, memory.touched],
      [this.#released, memory.released],
      [this.#byPerson, memory.byPerson],
    ] as const) {
      set.clear();
      for (const each of from) set.add(each);
    }
  }

  /** In a list that the owner declares as a whole, a person's value that a part keeps belongs to the person. */
  #leftBehind(stack: string, actual: Flat): void {
    if (stack === 'owner') return;
    const items = claims(this.#form, this.#declared.get(stack) ?? new Map());
    const isLeft = (path: string) => [...items].some((item) => actual.has(item) && isWithin(path, item));
    // The stack of an edited binding is unknown while the binding of a part is missing.
    const doubtful = this.#learnt || this.#form.bindings === true ? this.#touched : this.#byPerson;
    if ([...doubtful].some(isLeft)) this.#settled.delete('owner');
  }

  /** A path that another stack declares with another value, which is still live. */
  #contradicted(stack: string, declares: Flat, { adopt }: Way): string | undefined {
    for (const [other, theirs] of this.#declared) {
      // A part that adopts takes over items of the owner: this is how they change hands.
      if (other === stack || (adopt === true && other === 'owner')) continue;
      const claimed = claims(this.#form, theirs);
      for (const [path, value] of declares) {
        const wanted = theirs.get(path);
        const around = [...itemsAround(this.#form, path), path];
        if (!around.some((each) => claimed.has(each)) || wanted === undefined || this.#touched.has(path)) continue;
        if (text(wanted) !== text(value) && text(this.#live?.get(path)) === text(wanted)) return `${path} of ${other}`;
      }
    }
    return undefined;
  }

  /** Whether an item that the stack declares exists in another form, and not only by this stack. */
  #conflicts(stack: string, declares: Flat): boolean {
    const mine = claims(this.#form, this.#declared.get(stack) ?? new Map());
    return [...claims(this.#form, declares)].some((claim) => {
      const others = [...this.#declared].some(
        ([other, theirs]) => other !== stack && claims(this.#form, theirs).has(claim),
      );
      // An item that the owner declared and ignored may have existed before: then a part has only found it.
      const isOwn = mine.has(claim) && !this.#isTouched(claim) && !this.#released.has(claim);
      if (!others && (stack === 'owner' || isOwn)) return false;
      const paths = [...(this.#live?.keys() ?? []), ...declares.keys()].filter((path) => isWithin(path, claim));
      // A removed item may still count as theirs.
      if (this.#live?.has(claim) !== true) return this.#isTouched(claim);
      return paths.some((path) => text(this.#live?.get(path)) !== text(declares.get(path)));
    });
  }

  #isTouched(claim: string): boolean {
    return [...this.#touched].some((path) => isWithin(path, claim));
  }

  /** Whether a value of the platform or of a person contradicts the declared ones. */
  #keptContradicts(declares: Flat): boolean {
    const [low, high] = ['minScale', 'maxScale'].map((field) => `spec|defaultOptions|autoscaling|${field}`);
    const bound = (path = '') => Number(declares.get(path) ?? this.#live?.get(path) ?? Number.NaN);
    return bound(low) > bound(high);
  }

  async #refused(
    stack: string,
    outcome: Outcome,
    document: JsonObject,
    before: Flat | undefined,
    actual: Flat | undefined,
    writes: readonly string[],
    declares: Flat,
  ): Promise<Fault | undefined> {
    const error = isObject(document['error']) ? document['error'] : {};
    const causes = isArray(error['causes']) ? error['causes'].filter(isObject) : [];
    const codes = [...new Set((causes.length > 0 ? causes : [error]).map((each) => String(each['code'])))];
    const seen = `${stack}: exit code ${outcome.code}, ${JSON.stringify(error).slice(0, 700)}`;
    if (writes.length > 0)
      return {
        law: 'a plan that is refused wrote nothing, and one that is not ends well',
        seen: `${seen}\n${writes.join(', ')}`,
      };
    if (text(flatText(before)) !== text(flatText(actual))) return { law: 'a refused plan changed nothing', seen };
    for (const code of codes) this.#stage.refusals.set(code, (this.#stage.refusals.get(code) ?? 0) + 1);
    if (outcome.code !== 3 && outcome.code !== 1) return { law: 'a refusal has its exit code', seen };
    const odd = codes.filter((code) => !this.#mayBe(code, stack, declares));
    if (odd.length > 0) return { law: 'a refusal has a reason', seen };
    if (before === undefined) this.over = true;
    return undefined;
  }

  /** Whether there is a reason for such a refusal. */
  #mayBe(code: string, stack: string, declares: Flat): boolean {
    if (code === 'part.conflict') return this.#conflicts(stack, declares);
    // The adoption before it was refused.
    if (code === 'adopt.not-asked') return stack === 'owner' && !this.#declared.has('owner');
    const tags = [...(this.#live?.keys() ?? [])].filter((path) => path.startsWith('tags|'));
    if (code.startsWith('replace.')) return tags.length > 46;
    // A value that cannot be read cannot be carried to the new name.
    if (code === 'rename.unread') return this.#form.kind === 'secret';
    // The updated record breaks a rule: by a kept value, or by bindings that grant the same permissions.
    if (code !== 'update.rule') return false;
    return this.#form.bindings === true ? this.#declared.size > 0 : this.#keptContradicts(declares);
  }

  #tookPlace(
    stack: string,
    declares: Flat,
    before: Flat | undefined,
    actual: Flat,
    ignore: readonly string[],
    { adopt }: Way,
  ): void {
    for (const path of declares.keys()) {
      const isChanged = JSON.stringify(before?.get(path)) !== JSON.stringify(actual.get(path));
      const isTaken = adopt === true && stack !== 'owner';
      const isOver = (isChanged || isTaken) && this.#byPerson.delete(path);
      // An item of which the owner has overwritten a field may still be a person's as a whole.
      const item = itemsAround(this.#form, path).at(-1) ?? '';
      if (isOver && stack === 'owner' && before?.has(item) === true) this.#released.add(item);
      // The items that it takes over are deleted with it, whichever stack declares them too.
      if (isTaken) this.#released.add(path);
    }
    for (const path of this.#byPerson) {
      if (!actual.has(path)) this.#byPerson.delete(path);
      const item = itemsAround(this.#form, path).at(-1);
      if (stack === 'owner' && item !== undefined && this.#isPassed(item, declares)) this.#released.add(item);
    }
    const isIgnored = (path: string) => ignore.some((pattern) => covers(pattern, path));
    const earlier = [...(this.#declared.get(stack)?.keys() ?? [])];
    if (stack === 'owner') {
      for (const path of earlier) if (!declares.has(path) && this.#touched.has(path)) this.#lapsed.add(path);
      for (const path of declares.keys()) this.#lapsed.delete(path);
    }
    this.#declared.set(stack, new Map([...declares].filter(([path]) => !isIgnored(path))));
    for (const path of [...declares.keys(), ...earlier]) if (isIgnored(path)) this.#released.add(path);
    this.#endClaims(stack, before, actual);
    // A value that the stack has just written is certainly its own again.
    for (const path of this.#touched) {
      if (declares.has(path) && JSON.stringify(before?.get(path)) !== JSON.stringify(actual.get(path))) {
        this.#touched.delete(path);
      }
    }
    this.#notice(before, actual, stack);
    this.#live = actual;
  }

  /** A claim on a removed item ends when another stack recreates the item (law 2). */
  #endClaims(stack: string, before: Flat | undefined, actual: Flat): void {
    for (const [other, theirs] of this.#declared) {
      if (other === stack || other === 'owner') continue;
      const ended = [...claims(this.#form, theirs)].filter((claim) => actual.has(claim) && before?.has(claim) !== true);
      const isOver = (path: string) => ended.some((claim) => isWithin(path, claim));
      if (ended.length > 0) this.#declared.set(other, new Map([...theirs].filter(([path]) => !isOver(path))));
    }
  }

  /** Whether the owner of a whole list omits the item: then it may be deleted with the part that claims it. */
  #isPassed(item: string, declares: Flat): boolean {
    const list = item.slice(0, item.lastIndexOf('|'));
    return !declares.has(item) && this.#form.items.some(({ at, own }) => own !== true && matches(at, list));
  }

  /** Records which values of others were changed. */
  #notice(before: Flat | undefined, after: Flat, by: string): void {
    if (before === undefined) return;
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      if (JSON.stringify(before.get(path)) === JSON.stringify(after.get(path))) continue;
      if (by === 'person') this.#byPerson.add(path);
      if ([...this.#declared].some(([stack, declared]) => stack !== by && declared.has(path))) this.#touched.add(path);
      else if (by === 'person') this.#touched.add(path);
    }
  }

  #orderOf(declares: Flat, actual: Flat, stack: string, ignore: readonly string[]): string | undefined {
    const { sequence } = this.#form;
    if (sequence === undefined || stack !== 'owner') return undefined;
    const keysOf = (flat: Flat) =>
      [...flat.keys()].filter(
        (path) => path.startsWith(`${sequence}|`) && !path.slice(sequence.length + 1).includes('|'),
      );
    // An ignored item may be absent, and otherwise keeps its place.
    const wanted = [
      ...new Set(
        [...declares.keys()]
          .filter((path) => path.startsWith(`${sequence}|`))
          .map((path) =>
            path
              .split('|')
              .slice(0, sequence.split('|').length + 1)
              .join('|'),
          )
          .filter((path) => !ignore.some((pattern) => covers(pattern, path))),
      ),
    ];
    const there = keysOf(actual).filter((path) => wanted.includes(path));
    if (!wanted.some((path) => path.startsWith(`${sequence}|^`))) return undefined;
    return text(there) === text(wanted) ? undefined : `${there.join(', ')} in place of ${wanted.join(', ')}`;
  }

  async #destroy(stack: 'owner' | PartName): Promise<Fault | undefined> {
    if (this.#live === undefined || !this.#declared.has(stack)) return undefined;
    const { platform } = this.#stage;
    const from = await platform.seen();
    const before = this.#live;
    const outcome = await this.#stage.run(stack, ['destroy', '--yes', '-o', 'json']);
    await platform.seen();
    const document = parsed(outcome);
    const actual = await this.#read();
    if (stack !== 'owner') {
      if (outcome.code !== 0)
        return this.#refused(stack, outcome, document, before, actual, writesSince(platform, from), new Map());
      const difference = firstDifference(
        this.#form,
        afterPart(this.#form, this.#known(), stack, new Map()),
        actual ?? new Map(),
      );
      this.#leftBehind(stack, actual ?? new Map());
      this.#forget(stack);
      this.#live = actual;
      return difference === undefined
        ? undefined
        : { law: 'a part that goes takes along what it declared, and nothing else', seen: difference };
    }
    const theirs = [...this.#declared].flatMap(([each, declared]) =>
      each === 'owner' ? [] : [...claims(this.#form, declared)],
    );
    // The claim on a removed item may have ended (law 2).
    if (outcome.code === 0 && theirs.some((claim) => !this.#isTouched(claim)))
      return { law: 'what has parts of others is not deleted', seen: outcome.stdout.slice(0, 500) };
    if (outcome.code !== 0 && theirs.length === 0)
      return { law: 'destroy ends well', seen: outcome.stdout.slice(-700) };
    if (outcome.code !== 0) return this.#sameAs(before, actual);
    this.over = true;
    return actual === undefined ? undefined : { law: 'destroy deletes the record', seen: 'it is there' };
  }

  #sameAs(before: Flat, actual: Flat | undefined): Fault | undefined {
    if (text(flatText(before)) === text(flatText(actual))) return undefined;
    return { law: 'a refused destroy changed nothing', seen: text(flatText(actual)) ?? '' };
  }

  async #edit({ set, drop }: { readonly set: Values; readonly drop: readonly string[] }): Promise<undefined> {
    const before = this.#live;
    if (before === undefined) return;
    const after: Flat = new Map(before);
    for (const path of drop) for (const each of [...after.keys()]) if (isWithin(each, path)) after.delete(each);
    for (const [path, value] of Object.entries(set)) {
      if (itemsAround(this.#form, path).every((item) => after.has(item) || item in set)) after.set(path, value);
    }
    const record = asBindings(this.#form, unflatten(this.#form.lists, after));
    const patch: Record<string, JsonValue> = {};
    for (const member of new Set([
      ...Object.keys(record),
      ...[...before.keys()].map((path) => path.split('|')[0] ?? ''),
    ])) {
      const wanted = record[member];
      if (member === 'tags') {
        const gone = [...before.keys()].filter((path) => path.startsWith('tags|') && !after.has(path));
        patch['tags'] = {
          ...(isObject(wanted) ? wanted : {}),
          ...Object.fromEntries(gone.map((path) => [path.slice(5), null])),
        };
      } else patch[isObject(wanted) ? `$replace/${member}` : member] = wanted ?? null;
    }
    // A request that the platform refuses changes nothing.
    await this.#stage.platform.call('PATCH', this.#path, patch);
    const actual = await this.#read();
    if (actual === undefined) return;
    this.#notice(before, actual, 'person');
    // The world writes other bindings with the same meaning.
    for (const path of actual.keys()) if (path.startsWith('bindings|')) this.#touched.add(path);
    this.#live = actual;
  }

  async #learn(set: Values): Promise<undefined> {
    if (this.#live === undefined) return;
    this.#learnt = true;
    let known: readonly (readonly [string, JsonValue])[] = [];
    await this.#stage.change(this.#form.kind, this.#form.name, (record) => {
      const flat = flatten(this.#form.lists, byPrincipal(this.#form, record));
      known = Object.entries(set).filter(([path]) => itemsAround(this.#form, path).every((item) => flat.has(item)));
      for (const [path, value] of known) flat.set(path, value);
      const changed = asBindings(this.#form, unflatten(this.#form.lists, flat));
      const gantry = Object.entries(objectAt(record, 'tags')).filter(([key]) => key.startsWith('gantry/'));
      return { ...record, ...changed, tags: { ...objectAt(changed, 'tags'), ...Object.fromEntries(gantry) } };
    });
    // The audit trail of these worlds attributes it to the next version.
    for (const [path] of known) this.#touched.add(path);
    this.#live = await this.#read();
    if (known.some(([path]) => this.#live?.has(path) !== true))
      throw new Error(`the platform did not learn ${JSON.stringify(set)}`);
  }

  async #read(): Promise<Flat | undefined> {
    const path = this.#form.kind === 'secret' ? `${this.#path}/-reveal` : this.#path;
    const { status, body } = await this.#stage.platform.call('GET', path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path}: ${status}`);
    return flatten(this.#form.lists, byPrincipal(this.#form, body));
  }
}

/** The memory of a player. */
interface Memory {
  readonly form: KindForm;
  readonly live: Flat | undefined;
  readonly declared: ReadonlyMap<string, Flat>;
  readonly settled: ReadonlyMap<string, JsonObject>;
  readonly touched: ReadonlySet<string>;
  readonly released: ReadonlySet<string>;
  readonly byPerson: ReadonlySet<string>;
}

function adopting({ adopt }: Way): JsonObject {
  return adopt === true ? { adopt: true } : {};
}

function flatText(flat: Flat | undefined): unknown {
  return flat === undefined ? 'absent' : [...flat].sort(([a], [b]) => (a < b ? -1 : 1));
}

function parsed({ stdout, stderr }: Outcome): JsonObject {
  try {
    const document: unknown = JSON.parse(stdout);
    return isObject(document) ? document : {};
  } catch {
    return { error: { code: 'no-document', message: stdout.slice(0, 300) + stderr.slice(0, 1000) } };
  }
}

function changesIn(outcome: Outcome): string {
  const document = parsed(outcome);
  const changes = isArray(document['changes']) ? document['changes'].filter(isObject) : [];
  const open = changes
    .filter(({ action }) => action !== 'keep')
    .map(({ action, reason, fields, refusals }) => ({ action, reason, fields, refusals }));
  return `exit code ${outcome.code}: ${JSON.stringify(open.length > 0 ? open : document['error']).slice(0, 900)}`;
}

function text(value: unknown): string | undefined {
  return JSON.stringify(value);
}
