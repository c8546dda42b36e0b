import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../src/schema/json/json.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { openPlatform, type Platform } from '../../e2e/harness/platform.ts';
import type { Outcome } from '../../outcome.ts';
import type { Values } from './acts.ts';
import { unflatten } from './flat.ts';
import { accounts, asBindings, type KindForm, locations, org, workloads } from './kinds.ts';

/** A platform in this process with what every world refers to, and the folders of three stacks. */
export class Stage {
  readonly platform: Platform;
  readonly folder: string;
  /** The state with what all worlds refer to; each begins with it. */
  #before: JsonObject = {};
  /** How many applies were carried out, and how often each code was the reason of a refusal. */
  applied = 0;
  readonly refusals = new Map<string, number>();
  /** Pairs of live and desired that were tried. */
  pairs = 0;
  /** Applies that were taken back. */
  undone = 0;

  private constructor(platform: Platform, folder: string) {
    this.platform = platform;
    this.folder = folder;
  }

  static async open(): Promise<Stage> {
    const stage = new Stage(
      await openPlatform([], { tolerate: 'existing' }),
      mkdtempSync(join(tmpdir(), 'gantry-pairs-')),
    );
    await stage.run('outside', ['status']).catch(() => undefined); // the kinds of gantry.yaml are known from here on
    const post = async (path: string, body: JsonObject) => {
      const { status, body: answer } = await stage.platform.call('POST', `${org}/${path}`, body);
      if (status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
    };
    await post('gvc', { name: 'base', spec: { staticPlacement: { locationLinks: locations } } });
    const containers = [{ name: 'main', image: 'registry.example.com/route:1', ports: [{ number: 8080 }] }];
    for (const link of workloads) {
      await post('gvc/base/workload', { name: lastOf(link), spec: { type: 'serverless', containers } });
    }
    for (const link of accounts) await post('serviceaccount', { name: lastOf(link) });
    stage.#before = (await stage.platform.call('GET', '/-snapshot?secrets=true')).body;
    return stage;
  }

  async reset(): Promise<void> {
    await this.restore(this.#before);
  }

  async restore(state: JsonObject): Promise<void> {
    const { status, body } = await this.platform.call('PUT', '/-snapshot', state);
    if (status >= 300) throw new Error(`the state cannot be restored: ${JSON.stringify(body)}`);
  }

  async run(stack: string, args: readonly string[], manifests: JsonValue = []): Promise<Outcome> {
    const cwd = join(this.folder, stack);
    mkdirSync(cwd, { recursive: true });
    const kinds = {
      widget: { scope: 'gvc', immutable: ['spec.size'], listKeys: { 'spec.rules': 'name' }, disposable: true },
    };
    writeFileSync(join(cwd, 'gantry.yaml'), JSON.stringify({ stack, project: 'pairs', kinds }));
    writeFileSync(join(cwd, 'stack.json'), JSON.stringify(manifests));
    return inProcess(this.platform, args, { cwd });
  }

  async close(): Promise<void> {
    await this.platform.stop();
    rmSync(this.folder, { recursive: true, force: true });
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
