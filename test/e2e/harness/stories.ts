import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { linkPackages } from '../../cli/projectFolder.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from './inProcess.ts';
import { type Platform, writesSince } from './platform.ts';
import { startProxy } from './proxy.ts';
import { remembering } from './rememberedStacks.ts';

/**
 * Steps of commands and other clients on a platform, one in each line. Each story has its own folder, and `@` is
 * its name: the name of its stack, and part of the names of its resources.
 *
 * FIELDS are as in `{…}` of YAML, and RESOURCES are `kind/name FIELDS` or `kind/gvc/name FIELDS`, with ` & ` between
 * them.
 *
 * - `writes RESOURCES`: the code declares them; without any, there is no code. `applies RESOURCES -- FLAGS` applies
 *   them, `plans RESOURCES -- FLAGS` saves the plan in it.plan. `declares CODE` writes a program of `program`.
 * - `undoes`: it.plan is undone. `rests`: a plan is empty.
 * - `$ ARGS`, with variables before the command (`GANTRY_SECRET_KEY=`: without a key): a command that ends with 0; `$3 ARGS`: with 3. One that ends with 1, 3,
 *   4 or 64 writes nothing. Claims follow, in the same line or the next ones: `> TEXT` is on standard output, `! TEXT` on
 *   standard error, `= FIELDS` in the document of `-o json`. White space counts as one blank; `/PATTERN/` is sought in
 *   the output as it is, and `<key>` is from then on what its group `(?<key>…)` found; `no TEXT` is not there, `2 × TEXT`
 *   twice. `nothing shows TEXT`: no command of the story has.
 * - `POST gvc is refused: $5 ARGS`: the command, on a platform that answers such requests with 400, `GET /audit` too.
 * - `sends REQUEST, REQUEST`: these were among the writes of the last command, in this order; `sends nothing`.
 * - `PATCH path FIELDS`: a request of another client. `path has FIELDS`, `path has /PATTERN/`, `path is absent`: the record.
 * - `in FOLDER: STEP`: in another folder of the story, which has the same name.
 * - `FILE is TEXT`, `FILE has TEXT`, `FILE has TEXT and now TEXT`, `FILE is gone`, `FILE is empty`, `FILE is private`;
 *   `files are FILE, FILE`; `NAME links to FILE`.
 */
export type Story = readonly [title: string, steps: string];

/** Declares a test for each story. `program` makes the text of stack.ts from the CODE of `declares`. */
export function testStories(
  platform: Platform,
  name: string,
  stories: readonly Story[],
  program = (code: string): string => code,
): void {
  const root = temporaryFolder(name);
  for (const [index, [title, steps]] of stories.entries())
    test(title, async () => {
      const story: Told = { name: `${name}${index}`, said: [], found: new Map() };
      const tellers = new Map<string, (step: string) => Promise<void>>();
      const tellerIn = (folder: string) => teller(platform, join(root, story.name, folder), story, program);
      for (const line of steps.replaceAll(/\n\s*(?=[>!=] )/g, ' ').split(/\s*\n\s*/)) {
        if (line === '') continue;
        const named = line
          .replaceAll('@', story.name)
          .replaceAll(/<(\w+)>/g, (all, key) => story.found.get(key) ?? all);
        const [, folder = '', step = ''] = /^(?:in ([a-z]+): )?(.*)$/.exec(named) ?? [];
        const tell = tellers.get(folder) ?? tellerIn(folder);
        tellers.set(folder, tell);
        await tell(step);
      }
    });
}

/** With a key, a saved plan hashes secrets quickly. */
const quick = { GANTRY_SECRET_KEY: 'k'.repeat(40), [remembering]: 'yes' };

interface Told {
  readonly name: string;
  /** The outputs of its commands so far. */
  readonly said: string[];
  /** The values that named groups of patterns matched. */
  readonly found: Map<string, string>;
}

const flowOf = (fields: string): JsonObject => parse(`{${fields}}`);

/** `kind/gvc/name FIELDS & …` as manifests. */
function manifests(resources: string): string {
  const texts = resources.split(' & ').map((resource) => {
    const [, id = '', fields = ''] = /^(\S+) ?(.*)$/.exec(resource) ?? [];
    const [kind, ...names] = id.split('/');
    const [gvc, name] = names.length === 1 ? [undefined, ...names] : names;
    return JSON.stringify({ kind, name, ...(gvc === undefined ? {} : { gvc }), ...flowOf(fields) });
  });
  return texts.join('\n---\n');
}

function claim(text: string, claimed: string, { found }: Told): void {
  const [, times, sought = claimed] = /^(no|\d+ ×) (.*)$/.exec(claimed) ?? [];
  const isPattern = sought.startsWith('/');
  const matches = isPattern ? [...text.matchAll(new RegExp(sought.slice(1, -1), 'gm'))] : [];
  const count = isPattern ? matches.length : text.replaceAll(/\s+/g, ' ').split(sought).length - 1;
  if (times === undefined) expect(count, `${sought}\n\n${text}`).toBeGreaterThan(0);
  else expect(count, `${sought}\n\n${text}`).toBe(times === 'no' ? 0 : Number.parseInt(times, 10));
  for (const [key, value] of Object.entries(matches[0]?.groups ?? {})) found.set(key, value);
}

function teller(platform: Platform, cwd: string, told: Told, program: (code: string) => string) {
  const { name, said } = told;
  const at = (file: string) => join(cwd, file);
  const write = (file: string, text: string) => writeFileSync(at(file), text);
  const read = (file: string) => readFileSync(at(file), 'utf8');
  const byHand = (method: string, path: string, body?: JsonObject) => platform.call(method, `/org/local/${path}`, body);
  const claimHere = (text: string, claimed: string) => claim(text, claimed, told);
  let from = 0;
  mkdirSync(cwd, { recursive: true });
  write('gantry.yaml', `stack: ${name}\n`);

  async function run(line: string, to: Pick<Platform, 'url'> = platform): Promise<Outcome> {
    const words = line.split(' ');
    const isVariable = (word: string) => /^[A-Z_]+=/.test(word);
    const env = Object.fromEntries(words.filter(isVariable).map((word) => word.split('=')));
    const args = words.filter((word) => !isVariable(word));
    from = await platform.seen();
    // An undo is also rehearsed, with an interruption at each point.
    const more = args[0] === 'undo' && !line.includes('--rehearse') ? ['--rehearse=crash'] : [];
    const outcome = await inProcess(to, [...args, ...more], { cwd, env: { ...quick, ...env } });
    await platform.seen();
    said.push(outcome.stdout, outcome.stderr);
    return outcome;
  }

  async function command(code: string, line: string, to?: Pick<Platform, 'url'>): Promise<void> {
    const [args = '', ...claims] = line.split(/ (?=[>!=] )/);
    const outcome = await run(args, to);
    expect(outcome.code, `${line}\n\n${outcome.stdout}${outcome.stderr}`).toBe(Number(code));
    if (to === undefined && ['1', '3', '4', '64'].includes(code)) expect(writesSince(platform, from), line).toEqual([]);
    for (const each of claims) {
      if (each.startsWith('= ')) expect(JSON.parse(outcome.stdout)).toMatchObject(flowOf(each.slice(2)));
      else claimHere(each.startsWith('> ') ? outcome.stdout : outcome.stderr, each.slice(2));
    }
  }

  const declare = (resources: string) =>
    resources === '' ? rmSync(at('stack.yaml'), { force: true }) : write('stack.yaml', manifests(resources));
  const declareAnd = async (resources: string, then: string) => {
    const [declared = '', flags] = resources.split(/ ?-- /);
    declare(declared);
    await succeeded(run(flags === undefined ? then : `${then} ${flags}`));
  };

  const steps: readonly (readonly [RegExp, (...parts: readonly string[]) => unknown])[] = [
    [/^\$(\d*) (.*)$/, (code = '', line = '') => command(code || '0', line)],
    [/^writes ?(.*)$/, (resources = '') => declare(resources)],
    [/^applies ?(.*)$/, (resources = '') => declareAnd(resources, 'apply . --yes')],
    [/^plans ?(.*)$/, (resources = '') => declareAnd(resources, 'plan . --out it.plan')],
    [/^rests$/, () => succeeded(run('plan . --detailed-exitcode'))],
    [
      /^undoes$/,
      async () => {
        await succeeded(run('undo it.plan --out back.plan'));
        await succeeded(run('apply back.plan --yes'));
      },
    ],
    [
      /^declares ?(.*)$/,
      (code = '') => {
        if (!existsSync(at('node_modules'))) linkPackages(cwd);
        write('stack.ts', program(code).replaceAll('@', name));
      },
    ],
    [
      /^(\S+) (\S+) is refused: \$(\d*) (.*)$/,
      async (method, refused = '', code = '', line = '') => {
        const proxy = await startProxy(platform.url, (passing) =>
          passing.method === method &&
          passing.path.startsWith(refused.startsWith('/') ? refused : `/org/local/${refused}`)
            ? { status: 400, body: { message: 'not today' } }
            : 'pass',
        );
        await command(code, line, proxy).finally(() => proxy.close());
      },
    ],
    [
      /^sends (.*)$/,
      (requests = '') => {
        const sent = writesSince(platform, from).map((each) => each.replace('/org/local/', ''));
        if (requests === 'nothing') return expect(sent).toEqual([]);
        let next = 0;
        for (const request of requests.split(', ')) {
          const found = sent.indexOf(request, next);
          expect(found, `${request} in ${sent.join(', ')}`).toBeGreaterThan(-1);
          next = found + 1;
        }
      },
    ],
    [
      /^(POST|PATCH|DELETE) (\S+) ?(.*)$/,
      async (method = '', path = '', fields = '') => {
        const { status, body } = await byHand(method, path, method === 'DELETE' ? undefined : flowOf(fields));
        expect(status, JSON.stringify(body)).toBeLessThan(300);
      },
    ],
    [/^files are (.*)$/, (files = '') => expect(readdirSync(cwd).sort().join(', ')).toBe(files)],
    [/^([^\s/]+\.\w+) is gone$/, (file = '') => rmSync(at(file))],
    [/^([^\s/]+\.\w+) is empty$/, (file = '') => write(file, '')],
    [/^([^\s/]+\.\w+) is private$/, (file = '') => expect(statSync(at(file)).mode & 0o777).toBe(0o600)],
    [/^(\S+) links to (\S+)$/, (link = '', to = '') => symlinkSync(to, at(link))],
    [/^nothing shows (.*)$/, (text = '') => claimHere(said.join('\n'), `no ${text}`)],
    [/^([^\s/]+\.\w+) is (.*)$/, (file = '', text = '') => write(file, `${text}\n`)],
    [
      /^([^\s/]+\.\w+) has (.*) and now ?(.*)$/,
      (file = '', before = '', after = '') => {
        const sought = before.startsWith('/') ? new RegExp(before.slice(1, -1)) : before;
        claimHere(read(file), before);
        write(file, read(file).replace(sought, after));
      },
    ],
    [/^([^\s/]+\.\w+) has (.*)$/, (file = '', text = '') => claimHere(read(file), text)],
    [/^(\S+) is absent$/, async (path = '') => expect((await byHand('GET', path)).status).toBe(404)],
    [
      /^(\S+) has (.*)$/,
      async (path = '', fields = '') => {
        const { status, body } = await byHand('GET', path);
        expect([status, isObject(body)]).toEqual([200, true]);
        if (fields.startsWith('/')) claimHere(JSON.stringify(body), fields);
        else expect(body).toMatchObject(flowOf(fields));
      },
    ],
  ];

  return async (step: string): Promise<void> => {
    for (const [form, take] of steps) {
      const parts = form.exec(step);
      if (parts !== null) return void (await take(...parts.slice(1)));
    }
    throw new Error(`"${step}" is no step of a story`);
  };
}
