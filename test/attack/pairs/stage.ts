import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { openPlatform, type Platform } from '../../e2e/harness/platform.ts';
import type { Outcome } from '../../outcome.ts';
import type { Values } from './acts.ts';
import { unflatten } from './flat.ts';
import { accounts, asBindings, type KindForm, locations, org, workloads } from './kinds.ts';

/** The stage for worlds: a platform with the records that they refer to, and stacks that are planned and applied. */
export abstract class Stage {
  abstract readonly platform: Pick<Platform, 'seen' | 'requests' | 'call'>;
  /** The number of successful applies, and of refusals for each code. */
  applied = 0;
  readonly refusals = new Map<string, number>();
  /** The number of pairs of live and desired. */
  pairs = 0;
  /** The number of undone applies. */
  undone = 0;

  /** Runs a command line, with the manifests in the folder of a stack. */
  abstract run(stack: string, args: readonly string[], manifests?: readonly JsonObject[]): Promise<Outcome>;
  /** Restores the beginning of each world. */
  abstract reset(): Promise<void>;
  /** Changes a record in ways that no request can. */
  abstract change(kind: string, name: string, change: (record: JsonObject) => JsonObject): Promise<void>;
  abstract close(): Promise<void>;

  /** Creates the records that all worlds refer to. */
  protected async furnish(): Promise<void> {
    const post = async (path: string, body: JsonObject) => {
      const { status, body: answer } = await this.platform.call('POST', `${org}/${path}`, body);
      if (status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
    };
    await post('gvc', { name: 'base', spec: { staticPlacement: { locationLinks: locations } } });
    const containers = [{ name: 'main', image: 'registry.example.com/route:1', ports: [{ number: 8080 }] }];
    for (const link of workloads) {
      await post('gvc/base/workload', { name: lastOf(link), spec: { type: 'serverless', containers } });
    }
    for (const link of accounts) await post('serviceaccount', { name: lastOf(link) });
  }
}

const kinds = {
  widget: { scope: 'gvc', immutable: ['spec.size'], listKeys: { 'spec.rules': 'name' }, disposable: true },
};

/** The settings of a stack. */
export function settingsOf(stack: string): string {
  return JSON.stringify({ stack, project: 'pairs', kinds });
}

/** The command line in this process, with files, against a server with a port. */
export class CommandStage extends Stage {
  readonly platform: Platform;
  readonly #folder = mkdtempSync(join(tmpdir(), 'gantry-pairs-'));
  #before: JsonObject = {};

  private constructor(platform: Platform) {
    super();
    this.platform = platform;
  }

  static async open(): Promise<Stage> {
    const stage = new CommandStage(await openPlatform([], { tolerate: 'existing' }));
    await stage.run('outside', ['status']).catch(() => undefined); // The kinds of gantry.yaml are known from here on.
    await stage.furnish();
    stage.#before = await stage.#state();
    return stage;
  }

  async #state(): Promise<JsonObject> {
    return (await this.platform.call('GET', '/-snapshot?secrets=true')).body;
  }

  async #restore(state: JsonObject): Promise<void> {
    const { status, body } = await this.platform.call('PUT', '/-snapshot', state);
    if (status >= 300) throw new Error(`the state cannot be restored: ${JSON.stringify(body)}`);
  }

  reset(): Promise<void> {
    return this.#restore(this.#before);
  }

  async change(kind: string, name: string, change: (record: JsonObject) => JsonObject): Promise<void> {
    const state = await this.#state();
    const all = objectAt(state, 'orgs');
    const local = objectAt(all, 'local');
    const records = listAt(local, 'records').map((row) =>
      isObject(row) && row['kind'] === kind && row['name'] === name
        ? { ...row, record: change(objectAt(row, 'record')) }
        : row,
    );
    await this.#restore({ ...state, orgs: { ...all, local: { ...local, records } } });
  }

  run(stack: string, args: readonly string[], manifests: readonly JsonObject[] = []): Promise<Outcome> {
    const cwd = join(this.#folder, stack);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'gantry.yaml'), settingsOf(stack));
    writeFileSync(join(cwd, 'stack.json'), JSON.stringify(manifests));
    return inProcess(this.platform, args, { cwd });
  }

  async close(): Promise<void> {
    await this.platform.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function lastOf(link: string): string {
  return link.slice(link.lastIndexOf('/') + 1);
}

export function manifestOf(form: KindForm, declares: Values, lifecycle: JsonObject): JsonObject {
  const record = asBindings(form, unflatten(form.lists, new Map(Object.entries(declares))));
  const where = form.scope === 'gvc' ? { gvc: 'base' } : {};
  return {
    kind: form.kind,
    name: form.name,
    ...where,
    ...record,
    ...(Object.keys(lifecycle).length > 0 ? { lifecycle } : {}),
  };
}
