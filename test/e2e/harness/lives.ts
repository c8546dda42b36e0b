import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject, type JsonObject, type JsonValue, objectAt } from '../../../src/base/json/json.ts';
import { isEverySample } from '../../harness/sampled.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from './inProcess.ts';
import { usePlatform } from './usePlatform.ts';

/**
 * The life of one record as text, with one action of a stack or a person in each line.
 *
 * FIELDS are those of its manifest, as in `{…}` of YAML, with the fields of `lifecycle` (`part`, `ignore`, …) beside
 * them, and `previously: true` gives it another name. `@base` is the owner of a stack, `@it` the name of the record.
 *
 * - `base applies FIELDS`, after which a plan is empty (a sample checks this after the last one only); flags after
 *   ` -- `. `base writes FIELDS` writes the code.
 * - `base keeps FIELDS` applies a saved plan, `base turns` plans its undo, `base returns` applies that, `base undoes` is
 *   both.
 * - `base rests`: its plan is empty. `base goes`: destroys it. `base cannot FIELDS => text`: its plan is refused.
 * - `base asks 1 FIELDS`: a plan reads the audit trail so many times.
 * - `base 3: plan . => text`: a command, its exit code, and a pattern that its output has; `=> no text`: has not.
 * - `person sets FIELDS`, `person recreates FIELDS` (with its current tags), `person makes [kind/name] FIELDS`.
 * - `it has FIELDS`: exactly these; null: absent. `tags` omits the tags of Gantry, `all tags` has them; `parts`
 *   are the tags of stacks that claim a part. `it shows FIELDS`: these and perhaps others. `it is marked as before`
 *   compares the claims with those at `it is marked`.
 */
export type Life = readonly [title: string, kind: string, steps: string];

const lifecycles = ['part', 'adopt', 'ignore', 'replace', 'retain', 'handOver', 'wait'];
const kinds = '{widget: {immutable: [size, spec.size], listKeys: {rules: name, spec.rules: name}, disposable: true}}';

/** Declares a test for each life, all on one platform. */
export function testLives(lives: readonly Life[]): void {
  const root = temporaryFolder('lives');
  const platform = usePlatform();
  const byHand = (method: string, path: string, body?: JsonObject) => platform.call(method, `/org/local/${path}`, body);
  let made = 0;
  /** The first command makes the kinds of gantry.yaml known to this process. */
  let kindsAreKnown: Promise<Outcome> | undefined;

  /** A GVC exists if a step created it. */
  function life(kindAndGvc: string) {
    const [kind = '', gvc] = kindAndGvc.split('@');
    const number = ++made;
    const names = [`record-${number}`];
    const name = () => names.at(-1) ?? '';
    const path = (of = name()) => (gvc === undefined ? `${kind}/${of}` : `gvc/${gvc}/${kind}/${of}`);
    const named = (text: string) => text.replaceAll('@it', name()).replaceAll(/@([a-z]+)/g, `$1${number}.claims`);
    const fieldsOf = (text: string): JsonObject => parse(`{${named(text)}}`);
    const live = async (): Promise<JsonObject> => (await byHand('GET', path())).body;

    function folderOf(stack: string): string {
      const folder = join(root, `${stack}${number}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'gantry.yaml'), `stack: ${stack}${number}\nproject: claims\nkinds: ${kinds}\n`);
      return folder;
    }
    const run = (stack: string, ...args: readonly string[]) => inProcess(platform, args, { cwd: folderOf(stack) });
    const runWell = (stack: string, line: string) => succeeded(run(stack, ...line.split(' ')));

    async function write(stack: string, text: string): Promise<void> {
      kindsAreKnown ??= succeeded(run(stack, 'status'));
      await kindsAreKnown;
      const { previously, ...fields } = fieldsOf(text);
      const lifecycle: Record<string, JsonValue> = previously === undefined ? {} : { previously: name() };
      if (previously !== undefined) names.push(`${name()}-next`);
      const record: Record<string, JsonValue> = { kind, name: name(), ...(gvc === undefined ? {} : { gvc }) };
      for (const [key, value] of Object.entries(fields)) {
        if (lifecycles.includes(key)) lifecycle[key] = value;
        else record[key] = value;
      }
      writeFileSync(join(folderOf(stack), 'stack.yaml'), JSON.stringify({ ...record, lifecycle }));
    }

    function found(record: JsonObject, path: string): JsonValue | undefined {
      const tags = Object.entries(objectAt(record, 'tags'));
      if (path === 'all tags') return objectAt(record, 'tags');
      if (path === 'tags') return Object.fromEntries(tags.filter(([key]) => !key.startsWith('gantry/')));
      if (path === 'parts') return tags.flatMap(([key]) => (key.startsWith('gantry/applied.') ? [key] : []));
      return path.split('.').reduce<JsonValue | undefined>((at, key) => (isObject(at) ? at[key] : undefined), record);
    }

    const stackSteps: Readonly<Record<string, (stack: string, text: string, flags: string) => unknown>> = {
      writes: write,
      applies: async (stack, text, flags) => {
        await write(stack, text);
        await runWell(stack, `apply . --yes${flags}`);
      },
      keeps: async (stack, text, flags) => {
        await write(stack, text);
        await runWell(stack, `plan . --out kept.plan${flags}`);
        await runWell(stack, 'apply kept.plan --yes');
      },
      turns: (stack) => runWell(stack, 'undo kept.plan --out back.plan --rehearse=crash'),
      returns: async (stack) => {
        await runWell(stack, 'apply back.plan --yes');
        if (names.length > 1) names.pop();
      },
      undoes: async (stack, text, flags) => {
        await stackSteps['turns']?.(stack, text, flags);
        await stackSteps['returns']?.(stack, text, flags);
      },
      rests: (stack) => runWell(stack, 'plan . --detailed-exitcode'),
      goes: (stack) => runWell(stack, 'destroy --yes'),
      cannot: async (stack, text) => {
        const [fields = '', said = ''] = text.split(' => ');
        await write(stack, fields);
        const { code, stdout } = await run(stack, 'plan', '.', '-o', 'json');
        expect([code, stdout.includes(said)], text).toEqual([3, true]);
      },
      asks: async (stack, text) => {
        const [count = ''] = text.split(' ');
        await write(stack, text.slice(count.length));
        const from = await platform.seen();
        await runWell(stack, 'plan .');
        const requests = platform.requests.slice(from, await platform.seen());
        expect(requests.filter(({ path }) => path.includes('/audit/'))).toHaveLength(Number(count));
      },
    };

    let marks = '';
    const others: Readonly<Record<string, (text: string) => unknown>> = {
      'person sets': (text) => byHand('PATCH', path(), fieldsOf(text)),
      'person recreates': async (text) => {
        const { tags, ...fields } = fieldsOf(text);
        const all = { ...objectAt(await live(), 'tags'), ...(isObject(tags) ? tags : {}) };
        await byHand('DELETE', path());
        await byHand('POST', path('').slice(0, -1), { name: name(), tags: all, ...fields });
      },
      'person makes': (text) => {
        const [, of = kind, as = name(), fields = ''] = /^(?:([a-z]+)\/(\S+))? ?(.*)$/.exec(text) ?? [];
        return byHand('POST', of, { name: as, ...fieldsOf(fields) });
      },
      'it has': async (text) => {
        const record = await live();
        for (const [key, expected] of Object.entries(fieldsOf(text)))
          expect(found(record, key) ?? [], key).toEqual(expected ?? []);
      },
      'it shows': async (text) => expect(await live()).toMatchObject(fieldsOf(text)),
      'it is': async (text) => {
        // The version and the declared fields are not claims.
        const now = String(objectAt(await live(), 'tags')['gantry/applied']).replace(/;v\d+|;p[\w-]*/g, '');
        if (text === 'marked as before') expect(now).toBe(marks);
        marks = now;
      },
    };

    return async (line: string): Promise<void> => {
      const [who = '', verb = ''] = line.split(' ');
      const rest = line.slice(who.length + verb.length + 2);
      const other = others[`${who} ${verb}`];
      if (other !== undefined) return void (await other(rest));
      const step = stackSteps[verb];
      const [fields = '', flags] = rest.split(' -- ');
      if (step !== undefined) return void (await step(who, fields, flags === undefined ? '' : ` ${flags}`));
      if (!/^\d:$/.test(verb)) throw new Error(`"${line}" is no step of a life`);
      const [command = '', said = ''] = named(rest).split(' => ');
      const { code, stdout, stderr } = await run(who, ...command.split(' '));
      expect(`${code}:`, stdout + stderr).toBe(verb);
      if (said.startsWith('no ')) expect(stdout).not.toMatch(new RegExp(said.slice(3)));
      else expect(stdout + stderr).toMatch(new RegExp(said));
    };
  }

  for (const [title, kind, steps] of lives)
    test(title, async () => {
      const step = life(kind);
      const lines = steps.trim().split(/\s*\n\s*/);
      const applies = (line: string) => line.split(' ')[1] === 'applies';
      const last = lines.findLastIndex(applies);
      for (const [index, line] of lines.entries()) {
        await step(line);
        if (applies(line) && (isEverySample || index === last)) await step(`${line.split(' ')[0]} rests`);
      }
    });
}
