import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, objectAt, own } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { changesById } from './gantry.ts';
import { inProcess } from './inProcess.ts';
import { openPlatform, type Platform, writesSince } from './platform.ts';

/** One apply of a whole stack and all expectations after it, written by hand. */
export interface Step {
  readonly it: string;
  /** What another client does before the step, with plain HTTP. */
  readonly before?: (platform: Platform) => Promise<void>;
  /** The whole stack as YAML; if omitted, the step is `gantry destroy`. */
  readonly manifests?: string;
  /** Flags for plan and apply (`--prune`, `--allow-data-loss=1`, ...). */
  readonly flags?: readonly string[];
  /** The action of every resource of the plan that is not `keep`, by id. */
  readonly actions: Readonly<Record<string, string>>;
  /** Exact PATCH bodies by id, without `id`, `version` and the `gantry/*` tags. */
  readonly patches?: Readonly<Record<string, JsonObject>>;
  /** Live records by path, without fields of the server; `null` means 404. */
  readonly live?: Readonly<Record<string, JsonObject | null>>;
  /** Writes in this order in the server's request log (`POST /org/local/gvc`); others may come between them. */
  readonly order?: readonly string[];
  /** Further checks with plain HTTP. */
  readonly after?: (platform: Platform) => Promise<void>;
}

/** Input that is refused; nothing is written. */
export interface Negative {
  readonly it: string;
  readonly manifests: string;
  /** Rule ids that the command must report. */
  readonly rules: readonly string[];
}

/** Valid input that causes a warning. */
export interface Doubtful {
  readonly it: string;
  readonly manifests: string;
  readonly warnings: readonly string[];
}

/** A plan that is refused after reading; nothing is written. */
export interface Refused {
  readonly it: string;
  readonly before?: (platform: Platform) => Promise<void>;
  readonly manifests?: string;
  readonly flags?: readonly string[];
  /** Refusal codes that must be named. */
  readonly codes: readonly string[];
}

export interface Scenario {
  readonly number: number;
  readonly title: string;
  readonly serve?: readonly string[];
  readonly steps: readonly (Step | Refused)[];
  readonly negatives?: readonly Negative[];
  readonly doubtful?: readonly Doubtful[];
}

const serverOwned = new Set([
  'id',
  'kind',
  'version',
  'created',
  'lastModified',
  'links',
  'status',
  'health',
  'alias',
  'origin',
]);

function withoutGantryTags(tags: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => !key.startsWith('gantry/')));
}

/** The record without fields of the server and tags of Gantry. */
export function clientView(record: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([key]) => !serverOwned.has(key))
      .map(([key, value]) => [key, key === 'tags' && isObject(value) ? withoutGantryTags(value) : value]),
  );
}

/** A PATCH body without its pins and our own tags. */
function barePatch(patch: JsonObject): JsonObject {
  const rest: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(patch)) {
    if (key === 'id' || key === 'version') continue;
    if (key !== 'tags' || !isObject(value)) {
      rest.push([key, value]);
      continue;
    }
    const tags = withoutGantryTags(value);
    if (Object.keys(tags).length > 0) rest.push([key, tags]);
  }
  return Object.fromEntries(rest);
}

function expectInOrder(log: readonly string[], wanted: readonly string[]): void {
  let at = -1;
  for (const entry of wanted) {
    const next = log.indexOf(entry, at + 1);
    expect(
      next,
      `${entry} after ${wanted[wanted.indexOf(entry) - 1] ?? 'the start'} in\n${log.join('\n')}`,
    ).toBeGreaterThan(at);
    at = next;
  }
}

export function runScenario(scenario: Scenario): void {
  describe(`scenario ${scenario.number}: ${scenario.title}`, () => {
    let platform: Platform;
    const folder = mkdtempSync(join(tmpdir(), `gantry-scenario-${scenario.number}-`));
    const run = (args: readonly string[]) => inProcess(platform, args, { cwd: folder });

    function write(manifests: string): void {
      writeFileSync(join(folder, 'gantry.yaml'), `stack: scenario-${scenario.number}\n`);
      writeFileSync(join(folder, 'stack.yaml'), manifests);
    }

    async function expectRefused(refused: Refused): Promise<void> {
      if (refused.before !== undefined) await refused.before(platform);
      if (refused.manifests !== undefined) write(refused.manifests);
      const from = await platform.seen();
      const verb = refused.manifests === undefined ? ['destroy'] : ['apply', '.'];
      const outcome = await run([...verb, '--yes', ...(refused.flags ?? [])]);
      for (const code of refused.codes) expect(outcome.stdout + outcome.stderr).toContain(code);
      expect(outcome.code).toBe(3);
      await platform.seen();
      expect(writesSince(platform, from)).toEqual([]);
    }

    beforeAll(async () => {
      platform = await openPlatform(scenario.serve);
    });
    afterAll(async () => {
      await platform.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    for (const negative of scenario.negatives ?? []) {
      test(`refuses wrong manifests, and writes nothing: ${negative.it}`, async () => {
        write(negative.manifests);
        const from = await platform.seen();
        const outcome = await run(['plan', '.']);
        for (const rule of negative.rules) expect(outcome.stdout + outcome.stderr).toMatch(new RegExp(`\\s${rule}\\s`));
        expect(outcome.code).toBe(1);
        await platform.seen();
        expect(writesSince(platform, from)).toEqual([]);
      });
    }

    for (const { it, manifests, warnings } of scenario.doubtful ?? []) {
      test(`only warns of: ${it}`, async () => {
        write(manifests);
        const outcome = await run(['validate', '.']);
        for (const rule of warnings)
          expect(outcome.stdout + outcome.stderr).toMatch(new RegExp(`\\s${rule}\\s.*\\swarning: `));
        expect(outcome.code).toBe(0);
      });
    }

    for (const step of scenario.steps) {
      if ('codes' in step) {
        test(`refuses, and writes nothing: ${step.it}`, () => expectRefused(step));
        continue;
      }
      test(step.it, async () => {
        if (step.before !== undefined) await step.before(platform);
        const flags = step.flags ?? [];
        if (step.manifests !== undefined) write(step.manifests);

        if (step.manifests !== undefined) {
          const planned = await run(['plan', '.', '-o', 'json', ...flags]);
          expect(planned.stderr + planned.stdout, planned.stderr).not.toMatch(/"action": ?"refuse"/);
          expect(planned.code, planned.stderr).toBe(0);
          const changes = changesById(planned.stdout);
          const actions = [...changes].filter(([, change]) => change['action'] !== 'keep');
          expect(Object.fromEntries(actions.map(([id, change]) => [id, change['action']]))).toEqual(step.actions);
          for (const [id, patch] of Object.entries(step.patches ?? {})) {
            expect(barePatch(objectAt(changes.get(id) ?? {}, 'patch')), id).toEqual(patch);
          }
        }

        const from = await platform.seen();
        await succeeded(
          run(step.manifests === undefined ? ['destroy', '--yes', ...flags] : ['apply', '.', '--yes', ...flags]),
        );
        await platform.seen();
        expectInOrder(writesSince(platform, from), step.order ?? []);

        for (const [path, expected] of Object.entries(step.live ?? {})) {
          const reply = await platform.call('GET', path);
          if (expected === null) expect(reply.status, path).toBe(404);
          else expect(clientView(reply.body), path).toEqual(expected);
        }
        if (step.after !== undefined) await step.after(platform);

        if (step.manifests !== undefined) {
          const again = await run(['plan', '.', '-o', 'json', '--detailed-exitcode', ...flags]);
          const left = [...changesById(again.stdout)].filter(([, change]) => change['action'] !== 'keep');
          expect(left, 'the plan after the apply is empty').toEqual([]);
          expect(again.code).toBe(0);
        }
      });
    }
  });
}

/** A field of a live record, for checks in `after`. */
export function at(record: JsonObject, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return value;
}
