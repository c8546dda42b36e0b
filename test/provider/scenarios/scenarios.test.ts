import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { providerSource } from '../../../src/hcl/provider.ts';
import { reattachValue } from '../../../src/provider/host/handshake.ts';
import { type PluginServer, startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import { makeHandlers, type Provider } from '../../../src/provider/services/makeHandlers.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { openPlatform, type Platform, token } from '../../e2e/harness/platform.ts';
import type { Refused, Scenario, Step } from '../../e2e/harness/scenario.ts';
import { scenarios } from '../../e2e/scenarios/all.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { makeProject, type Project, reasonToSkip } from '../harness/terraform.ts';
import {
  configurationFor,
  deletablePathsOf,
  importsFor,
  isToBeAppliedFirst,
  noPermits,
  permitsOf,
} from './configurationFor.ts';
import { differenceOf, importDifferenceOf, refusals } from './differences.ts';
import { liveRecords } from './liveRecords.ts';

/** `GANTRY_TERRAFORM=all`, or numbers with commas; without it a scenario with a refusal, and the whole system. */
const asked = process.env['GANTRY_TERRAFORM'] ?? '3,25';

function isAsked({ number }: Scenario): boolean {
  return asked === 'all' || asked.split(',').includes(String(number));
}

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`skipped: ${skipped}`);

/** The steps of a scenario, side by side: `gantry apply` on one platform, the real terraform on another. */
class SideBySide {
  readonly #scenario: Scenario;
  readonly #folder: string;
  readonly #gantry: Platform;
  readonly #terraform: Platform;
  readonly #provider: Provider;
  readonly #plugin: PluginServer;
  readonly #project: Project;
  #manifests = '';

  private constructor(scenario: Scenario, folder: string, opened: Opened) {
    this.#scenario = scenario;
    this.#folder = folder;
    this.#gantry = opened.gantry;
    this.#terraform = opened.terraform;
    this.#provider = opened.provider;
    this.#plugin = opened.plugin;
    this.#project = this.#projectIn('project');
  }

  static async open(scenario: Scenario, folder: string): Promise<SideBySide> {
    const [gantry, terraform] = await Promise.all([openPlatform(scenario.serve), openPlatform(scenario.serve)]);
    const environment = { GANTRY_ENDPOINT: terraform.url, GANTRY_ORG: 'local', GANTRY_TOKEN: token };
    const provider = makeHandlers({ environment, cwd: join(folder, 'project') });
    const plugin = await startPluginServer({ handlers: async () => provider.handlers });
    return new SideBySide(scenario, folder, { gantry, terraform, provider, plugin });
  }

  async close(): Promise<void> {
    await this.#provider.close();
    await this.#plugin.close();
    await this.#gantry.stop();
    await this.#terraform.stop();
  }

  async apply(step: Step): Promise<void> {
    const { manifests, flags = [] } = step;
    const difference = differenceOf(this.#scenario.number, step.it);
    await this.#before(step);
    await this.#gantryDoes(manifests, flags);
    const permits = permitsOf(flags);
    if (isToBeAppliedFirst(permits)) await this.#applied(await configurationFor(this.#manifests, permits));
    if (difference !== undefined && 'first' in difference) {
      await this.#applied(await configurationFor(difference.first(manifests ?? this.#manifests), permits));
    }
    if (manifests === undefined) {
      await this.#succeeds('destroy', '-auto-approve');
      expect((await this.#project.run('state', 'list')).text).toBe('');
    } else {
      const configuration = await configurationFor(manifests, permits);
      const isEdited = difference !== undefined && 'edit' in difference;
      await this.#applied(isEdited ? difference.edit(configuration) : configuration);
      this.#manifests = manifests;
    }
    await this.#expectSameRecords(difference !== undefined && 'same' in difference ? difference.same : undefined);
    await step.after?.(this.#gantry);
    await step.after?.(this.#terraform);
    if (manifests !== undefined) await this.#succeeds('plan', '-detailed-exitcode');
  }

  async refuse(step: Refused): Promise<void> {
    await this.#before(step);
    const before = await liveRecords(this.#terraform);
    if (step.manifests !== undefined) this.#write(await configurationFor(step.manifests, noPermits));
    const verb = step.manifests === undefined ? 'destroy' : 'apply';
    const { code, text } = await this.#project.run(verb, '-auto-approve', '-no-color');
    expect(code, text).toBe(1);
    const difference = differenceOf(this.#scenario.number, step.it);
    for (const each of step.codes) {
      const says =
        difference !== undefined && 'refusedByPlatform' in difference ? difference.refusedByPlatform : refusals[each];
      expect(text).toMatch(says ?? each);
    }
    expect(await liveRecords(this.#terraform)).toEqual(before);
  }

  /** An empty state, and import blocks for everything that the last step declared. */
  async importAll(): Promise<void> {
    const { text: configuration, count } = await importsFor(this.#manifests);
    const project = this.#projectIn('import');
    const difference = importDifferenceOf(this.#scenario.number);
    writeFileSync(join(project.folder, 'main.tf'), difference?.edit?.(configuration) ?? configuration);
    const before = await liveRecords(this.#terraform);
    const { text } = await project.run('apply', '-auto-approve', '-no-color');
    // An import does not read values of secrets, so the configured value is an update.
    const secrets = configuration
      .split(/^resource /m)
      .filter((each) => each.startsWith('"gantry_secret"') && /^ {2}data \{$/m.test(each)).length;
    const changed = (difference?.changed ?? 0) + secrets;
    expect(text).toContain(`${count} imported, 0 added, ${changed} changed, 0 destroyed`);
    expect(await liveRecords(this.#terraform)).toEqual(before);
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  }

  /** An empty state, and `gantry terraform export --all` of the live records, which are imported unchanged. */
  async importLive(): Promise<void> {
    const { stdout } = await succeeded(
      inProcess(this.#terraform, ['terraform', 'export', '--all'], { cwd: this.#folder }),
    );
    const project = this.#projectIn('live');
    writeFileSync(join(project.folder, 'main.tf'), stdout);
    const before = await liveRecords(this.#terraform);
    const { text } = await project.run('apply', '-auto-approve', '-no-color');
    const count = stdout.match(/^import \{/gm)?.length ?? 0;
    expect(count).toBeGreaterThan(0);
    expect(text).toContain(`${count} imported, 0 added, 0 changed, 0 destroyed`);
    expect(await liveRecords(this.#terraform)).toEqual(before);
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  }

  /** Runs after the last step; undeclared records belong to other clients, and stay. */
  async destroy(): Promise<void> {
    await this.#applied(await configurationFor(this.#manifests, { ...noPermits, dataLoss: true }));
    await this.#succeeds('destroy', '-auto-approve');
    const left = await liveRecords(this.#terraform);
    expect((await deletablePathsOf(this.#manifests)).filter((path) => Object.hasOwn(left, path))).toEqual([]);
  }

  #projectIn(name: string): Project {
    const reattach = { TF_REATTACH_PROVIDERS: reattachValue(providerSource, this.#plugin.address, process.pid) };
    return makeProject(join(this.#folder, name), reattach);
  }

  async #before({ before }: Pick<Step, 'before'>): Promise<void> {
    await before?.(this.#gantry);
    await before?.(this.#terraform);
  }

  async #gantryDoes(manifests: string | undefined, flags: readonly string[]): Promise<void> {
    writeFileSync(join(this.#folder, 'gantry.yaml'), `stack: scenario-${this.#scenario.number}\n`);
    if (manifests !== undefined) writeFileSync(join(this.#folder, 'stack.yaml'), manifests);
    const verb = manifests === undefined ? ['destroy'] : ['apply', 'stack.yaml'];
    await succeeded(inProcess(this.#gantry, [...verb, '--yes', ...flags], { cwd: this.#folder }));
  }

  async #applied(configuration: string): Promise<void> {
    this.#write(configuration);
    await this.#succeeds('apply', '-auto-approve');
  }

  #write(configuration: string): void {
    writeFileSync(join(this.#project.folder, 'main.tf'), configuration);
  }

  async #succeeds(...args: readonly string[]): Promise<void> {
    const { code, text } = await this.#project.run(...args, '-no-color');
    expect(code, text).toBe(0);
  }

  async #expectSameRecords(same = (record: string): string => record): Promise<void> {
    const alike = async (platform: Platform) =>
      Object.entries(await liveRecords(platform)).map(([path, record]) => [path, same(record)]);
    // Workloads of both platforms become ready at different times.
    const look = async () => {
      const [terraform, gantry] = await Promise.all([alike(this.#terraform), alike(this.#gantry)]);
      expect(terraform).toEqual(gantry);
    };
    await vi.waitFor(look, { timeout: 120_000, interval: 200 });
  }
}

interface Opened {
  readonly gantry: Platform;
  readonly terraform: Platform;
  readonly provider: Provider;
  readonly plugin: PluginServer;
}

describe.skipIf(skipped !== undefined)('the real terraform has the same results as gantry', () => {
  describe.each(scenarios.filter(isAsked))('scenario $number: $title', (scenario) => {
    const folder = temporaryFolder(`terraform-${scenario.number}`);
    let both: SideBySide;
    beforeAll(async () => {
      both = await SideBySide.open(scenario, folder);
    });
    afterAll(() => both.close());

    const lastDeclared = scenario.steps.findLastIndex((step) => !('codes' in step) && step.manifests !== undefined);
    for (const [index, step] of scenario.steps.entries()) {
      const difference = differenceOf(scenario.number, step.it);
      const why = difference === undefined ? '' : ` (${difference.why})`;
      const isLeftOut = difference !== undefined && 'leftOut' in difference;
      if (isLeftOut) console.warn(`skipped: scenario ${scenario.number}, ${step.it}${why}`);
      test.skipIf(isLeftOut)(`${step.it}${why}`, async () => {
        if ('codes' in step) return both.refuse(step);
        await both.apply(step);
        if (index !== lastDeclared) return;
        await both.importAll();
        await both.importLive();
      });
    }
    const { steps } = scenario;
    const [last] = steps.slice(-1);
    const isDestroyed = last !== undefined && !('codes' in last) && last.manifests === undefined;
    // A scenario whose last step is a destroy has tested it there.
    if (!isDestroyed) test('destroy leaves nothing', () => both.destroy());
  });
});
