import type { PlatformPort } from '../../src/apply/port.ts';
import { type JsonObject, objectAt, stringAt } from '../../src/base/json/json.ts';
import { ToolError } from '../../src/base/toolError.ts';
import { normalise } from '../../src/kinds/normalise.ts';
import { references } from '../../src/kinds/references.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import type { LiveResource, Snapshot } from '../../src/manifest/live/snapshot.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import type { Change, Edge } from '../../src/plan/model/change.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import { formatRef, type Ref } from '../../src/schema/record/ref.ts';
import { foreign, org, snapshot } from './world.ts';

/** Rows of platform/deletion.references whose target may be deleted although writing the referrer needs it. */
const mayDangle: ReadonlySet<string> = new Set(['domain workload', 'group serviceaccount', 'group user']);

function contextOf(ref: Ref) {
  const gvc = ref.kind === 'gvc' ? ref.name : ref.gvc;
  return gvc === undefined ? { org } : { org, gvc };
}

/** A platform in a few lines: it stores normal forms, and refuses according to platform/deletion.references. */
export class ModelPlatform {
  readonly #records = new Map<string, LiveResource>();
  readonly #past = new Map<string, LiveResource[]>();
  #created = 0;

  put(resources: readonly LiveResource[]): void {
    for (const each of resources) this.#remember(each);
  }

  snapshot(): Snapshot {
    const all = [...this.#records.values()];
    const gvcs = all.filter(({ ref }) => ref.kind === 'gvc').map(({ ref }) => ref.name);
    const closures = gvcs.map(
      (gvc) => [gvc, { known: true, children: all.filter(({ ref }) => ref.gvc === gvc) }] as const,
    );
    return snapshot(all, { closures: new Map(closures), dryRun: 'honoured', past: this.#past });
  }

  create(ref: Ref, body: JsonObject): void {
    const id = formatRef(ref);
    if (this.#records.has(id)) throw new ToolError({ code: 'api.conflict', message: `409: ${id} exists` });
    this.#created += 1;
    this.#store(ref, { ...body, id: `uid-${this.#created}` }, 1);
  }

  patch(ref: Ref, body: JsonObject): void {
    const live = this.#records.get(formatRef(ref));
    if (live === undefined) throw new ToolError({ code: 'api.not-found', message: `404: ${formatRef(ref)}` });
    const { id, version, ...patch } = body;
    if ((id ?? live.uid) !== live.uid || (version ?? live.version) !== live.version)
      throw new ToolError({ code: 'api.conflict', message: `409: ${live.id} moved` });
    const applied = applyPatch(shapeOf(ref.kind, live.record), live.record, patch, contextOf(ref));
    if (!applied.ok) throw new Error(`400: ${JSON.stringify(applied.problems)}`);
    this.#store(ref, applied.record, live.version + 1);
  }

  delete(ref: Ref): void {
    const id = formatRef(ref);
    for (const holder of this.#records.values()) {
      if (holder.id === id || (ref.kind === 'gvc' && holder.ref.gvc === ref.name)) continue;
      for (const { target, strength, path } of references(holder.ref.kind, holder.record, contextOf(holder.ref))) {
        const blocks =
          (strength === 'hard' || strength === 'second-step') && !mayDangle.has(`${holder.ref.kind} ${ref.kind}`);
        if (blocks && formatRef(target) === id) throw new Error(`400: ${id} is used by ${holder.id} at ${path}`);
      }
    }
    if (!this.#records.delete(id)) throw new ToolError({ code: 'api.not-found', message: `404: ${id}` });
    if (ref.kind !== 'gvc') return;
    for (const child of [...this.#records.values()]) if (child.ref.gvc === ref.name) this.#records.delete(child.id);
  }

  read(ref: Ref): LiveResource | undefined {
    return this.#records.get(formatRef(ref));
  }

  /** The same platform for the applier. */
  port(owner: string): PlatformPort {
    const all = () => [...this.#records.values()];
    const written = (ref: Ref): LiveResource => {
      const live = this.read(ref);
      if (live === undefined) throw new Error(`${formatRef(ref)} is not there`);
      return live;
    };
    return {
      create: async (ref, body) => {
        this.create(ref, body);
        return written(ref);
      },
      tryCreate: async (ref, body) => {
        this.#checked(ref, body);
        return [];
      },
      patch: async (ref, body) => {
        this.patch(ref, body);
        return written(ref);
      },
      delete: async (ref) => {
        this.delete(ref);
        return 'accepted';
      },
      read: async (ref) => this.read(ref),
      children: async (gvc) => all().filter(({ ref }) => ref.gvc === gvc),
      deployments: async () => [],
      owned: async () => all().filter((each) => tagsOf(each)['gantry/stack'] === owner),
    };
  }

  #checked(ref: Ref, body: JsonObject): JsonObject {
    const id = formatRef(ref);
    const written = normalise(ref.kind, body, contextOf(ref));
    if (ref.gvc !== undefined && !this.#records.has(`gvc/${ref.gvc}`)) throw new Error(`404: the GVC of ${id}`);
    for (const { target, strength, fact, path } of references(ref.kind, written, contextOf(ref))) {
      const needed = (strength === 'hard' || strength === 'second-step') && fact?.mayBeMissing !== true;
      if (needed && !this.#records.has(formatRef(target))) throw new Error(`400: ${id} refers to nothing at ${path}`);
    }
    return written;
  }

  #store(ref: Ref, body: JsonObject, version: number): void {
    const id = formatRef(ref);
    const written = this.#checked(ref, body);
    const status = ref.kind === 'volumeset' ? { status: { locations: [] } } : {};
    const record: JsonObject = { ...written, ...status, kind: ref.kind, name: ref.name, version };
    this.#remember({ ref, id, uid: stringAt(record, 'id') ?? '', version, record });
  }

  #remember(live: LiveResource): void {
    this.#records.set(live.id, live);
    this.#past.set(live.uid, [live, ...(this.#past.get(live.uid) ?? [])]);
  }
}

interface Step {
  readonly key: string;
  readonly after: readonly string[];
  readonly run: () => void;
}

/** Carries out a plan; `choose` picks among the ready steps. Throws if no step is ready or a request fails. */
export function carryOut(plan: Plan, platform: ModelPlatform, choose: (count: number) => number): void {
  const open = stepsOf(plan, platform);
  const known = new Set(open.map(({ key }) => key));
  const done = new Set<string>();
  while (open.length > 0) {
    const ready = open.filter(({ after }) => after.every((key) => done.has(key) || !known.has(key)));
    const step = ready[choose(ready.length)];
    if (step === undefined) throw new Error(`nothing is ready among ${open.map(({ key }) => key).join(', ')}`);
    step.run();
    done.add(step.key);
    open.splice(open.indexOf(step), 1);
  }
}

function stepsOf(plan: Plan, platform: ModelPlatform): Step[] {
  const replaced = new Set(plan.changes.filter(({ action }) => action === 'replace').map(({ id }) => id));
  const key = ({ on, step }: Edge): string => {
    if (step === 'then') return `${on} then`;
    return step === 'delete' && replaced.has(on) ? `${on} delete` : on;
  };
  const keys = (edges: readonly Edge[] = []): readonly string[] => edges.map(key);

  return plan.changes.flatMap((change: Change): Step[] => {
    const { id, ref, action } = change;
    if (action === 'keep' || change.via !== undefined) return [];
    const create = () => platform.create(ref, change.create?.expose() ?? {});
    const patch = () => platform.patch(ref, change.patch?.expose() ?? {});
    const remove = () => platform.delete(ref);
    const main = action === 'create' || action === 'replace' ? create : action === 'delete' ? remove : patch;
    const steps = [
      { key: id, after: [...keys(change.requires), ...(action === 'replace' ? [`${id} delete`] : [])], run: main },
    ];
    if (action === 'replace') steps.push({ key: `${id} delete`, after: [...keys(change.deleteRequires)], run: remove });
    const then = change.then;
    if (then !== undefined) {
      steps.push({
        key: `${id} then`,
        after: [id, ...keys(change.thenRequires)],
        run: () => platform.patch(ref, then.expose()),
      });
    }
    return steps;
  });
}

/** Built-in records of every org. */
export const builtIn: readonly LiveResource[] = [
  foreign('location/aws-eu-central-1'),
  foreign('location/gcp-us-east1'),
];

function tagsOf(resource: LiveResource): JsonObject {
  return objectAt(resource.record, 'tags');
}
