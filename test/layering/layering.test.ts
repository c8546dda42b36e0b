import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { areas } from './rooms.ts';
import { type SourceGraph, sourceGraph } from './sourceGraph.ts';
import { areaOf, crowdedFolders, cycles, idleExceptions, idleUses, roomOf, violations } from './violations.ts';

const root = new URL('../..', import.meta.url).pathname;

function filesOf(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort(),
  );
}

const texts: ReadonlyMap<string, string> = new Map(
  filesOf('src', 'constructs', 'browser')
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
);

const graph = sourceGraph(texts);
const anchor = 'src/plan/makePlan.ts';

/** The same source with one more line in one file. */
function withLine(path: string, line: string): SourceGraph {
  return new Map([...graph, ...sourceGraph(new Map([[path, `${texts.get(path) ?? ''}\n${line}\n`]]))]);
}

test('the layers are respected', () => {
  expect(violations(graph)).toEqual([]);
});

/** The files that import more than types from a file. */
function loadersOf(path: string): readonly string[] {
  const loads = (file: string) => graph.get(file)?.imports.some(({ to, isTypeOnly }) => to === path && !isTypeOnly);
  return [...graph.keys()].filter(loads);
}

test('plans of stacks are made in one module, and run in one', () => {
  expect(loadersOf('src/gantry/applying/runPlanned.ts')).toEqual(['src/gantry/apply.ts']);
  // An adoption is proved by an internal plan, and an explanation needs no names of writers.
  expect(loadersOf('src/gantry/loading/planFromPlatform.ts')).toEqual([
    'src/gantry/adoptLive.ts',
    'src/gantry/loading/loadStack.ts',
    'src/gantry/plan.ts',
    'src/gantry/read.ts',
  ]);
});

test('everything that rooms.ts lists exists', () => {
  const places = new Set([...graph.keys()].flatMap((path) => [path, join(areaOf(path), roomOf(path))]));
  const listed = Object.entries(areas).flatMap(([area, { rooms }]) => rooms.map((room) => join(area, room)));
  expect(listed.filter((place) => !places.has(place))).toEqual([]);
});

test('no two areas may import each other, in any way', () => {
  const arrows = new Map(Object.entries(areas).map(([area, { areas: others }]) => [area, others]));
  expect(cycles(arrows)).toEqual([]);
  expect(cycles(new Map([...arrows, ['src/patch', ['src/schema', 'src/plan']]]))).toContain(
    'a cycle: src/patch -> src/plan -> src/patch',
  );
});

/** One violation each: the file, the added line, and the finding. */
const mutants: readonly (readonly [string, string, string])[] = [
  [anchor, `import '../server/start.ts';`, 'may not import src/server/start.ts'],
  [anchor, `import type { Client } from '../client/client.ts';`, 'may not import src/client/client.ts'],
  [anchor, `const lazy = import('../cli/main.ts');`, 'may not import src/cli/main.ts'],
  [anchor, `export * from '../apply/verify.ts';`, 'may not import src/apply/verify.ts'],
  [anchor, `import { load } from 'js-yaml';`, 'may not import js-yaml'],
  [anchor, `import { readFileSync } from 'node:fs';`, 'is not pure: node:fs'],
  ['src/schema/record/links.ts', `import { anywhere } from '../shape/anywhere.ts';`, 'which is in a folder above it'],
  ['src/manifest/model/marks.ts', `import type { Limits } from '../limits.ts';`, 'which is in a folder above it'],
  ['src/schema/a/new.ts', '', 'is in a folder that rooms.ts does not list'],
  ['src/new/x.ts', '', 'is in no area'],
  ['src/new.ts', '', 'is in no area'],
  ['browser/report/plan.tsx', `import '../../src/client/client.ts';`, 'may not import src/client/client.ts'],
  ['browser/report/parts/text.tsx', `import '../plan.tsx';`, 'which is in a folder above it'],
  ['src/server/commands/commandTypes.ts', `import '../cron/jobs.ts';`, 'which is the business of cron'],
  ['src/server/core/job.ts', `import '../tasks/routes.ts';`, 'which is the business of tasks'],
  ['src/server/tasks/taskState.ts', `import '../volumes/decisions/volume.ts';`, 'which is the business of volumes'],
  ['src/index.ts', `import './server/start.ts';`, 'may not import src/server/start.ts'],
  ['src/policies.ts', `export { readFileSync } from 'node:fs';`, 'may not import node:fs'],
  ['src/testing/rehearse.ts', `import '../testing.ts';`, 'may not import src/testing.ts'],
  ['src/patch/diff.ts', `import './diff.ts';`, 'a cycle: src/patch/diff.ts -> src/patch/diff.ts'],
  ['constructs/kinds/gvc.ts', '\n'.repeat(500), 'lines'],
  [anchor, 'const now = Date.now();', 'is not pure: Date.now'],
  [anchor, 'const now = new Date();', 'is not pure: new Date()'],
  [anchor, 'const now = Date();', 'is not pure: Date('],
  [anchor, 'const chance = Math.random();', 'is not pure: Math.random'],
  [anchor, 'const id = crypto.randomUUID();', 'is not pure: crypto.'],
  [anchor, 'setTimeout(makePlan, 1);', 'is not pure: setTimeout('],
  [anchor, 'setImmediate(makePlan);', 'is not pure: setImmediate('],
  [anchor, 'queueMicrotask(makePlan);', 'is not pure: queueMicrotask('],
  [anchor, `console.log('x');`, 'is not pure: console.'],
  [anchor, `const home = process.env['HOME'];`, 'is not pure: process.'],
  [anchor, 'const started = performance.now();', 'is not pure: performance.now'],
  [anchor, `const reply = fetch('http://localhost');`, 'is not pure: fetch('],
  [anchor, `const two = eval('1 + 1');`, 'is not pure: eval('],
  [anchor, 'const time = globalThis.Date;', 'is not pure: globalThis.'],
  [anchor, 'const here = import.meta.url;', 'is not pure: import.meta'],
  [anchor, 'const lazy = import(`../cli/main.ts`);', 'may not import src/cli/main.ts'],
  [anchor, `import "../cli/main.ts";`, 'may not import src/cli/main.ts'],
  [anchor, `const lazy = require('../cli/main.ts');`, 'may not import src/cli/main.ts'],
  [anchor, 'const lazy = import(makePlan.name);', 'is not pure: import('],
  [anchor, `const any = '*/*';\nimport '../cli/main.ts';\n/** */`, 'may not import src/cli/main.ts'],
  [anchor, `const now = /'/.test(Date.now() + '');`, 'is not pure: Date.now'],
  [anchor, `const now = \`'\${Date.now()}'\`;`, 'is not pure: Date.now'],
];

test.each(mutants)('a violation is found: in %s, %j', (path, line, expected) => {
  const found = violations(withLine(path, line));
  expect(found.filter((violation) => violation.includes(path) && violation.includes(expected))).not.toEqual([]);
});

test('purity is transitive: a pure folder imports only pure folders', () => {
  const path = 'src/server/query/decisions/query.ts';
  const line = `import { startServer } from '../../start.ts';`;
  const found = violations(withLine(path, line));
  expect(found.filter((violation) => violation.startsWith(`${path} -> src/server/start.ts`))).not.toEqual([]);
});

test('an area reaches no forbidden area through a third one', () => {
  const found = violations(withLine('src/plan/model/plan.ts', `import type { Client } from '../../client/client.ts';`));
  expect(found.filter((each) => each.startsWith('src/apply may not reach src/client: src/apply/'))).toEqual([
    expect.stringMatching(/ -> src\/plan\/model\/plan\.ts -> src\/client\/client\.ts$/),
  ]);
});

test('every exception is needed', () => {
  expect(idleExceptions(graph)).toEqual([]);
  expect(idleUses(graph)).toEqual([]);
  expect(idleUses(new Map())).toContain('records of volumes');
  const path = 'src/terminal/nothing.ts';
  expect(idleExceptions(sourceGraph(new Map([[path, '']])))).toContain('src/terminal -> src/plan');
});

test('a folder with more than forty files is found', () => {
  const many = Array.from({ length: 40 }, (_, index) => [`src/manifest/model/extra${index}.ts`, ''] as const);
  expect(violations(new Map([...graph, ...sourceGraph(new Map(many))]))).toContain(
    'src/manifest/model has 45 files side by side',
  );
});

/** Folders with one generated file for each help text, or for each mutated folder. */
const golden = ['test/cli/help', 'test/mutation/survivors'];

test('a crowded folder outside the source is found too', () => {
  const around = filesOf('bench', 'browser', 'scripts', 'test').filter((path) => !golden.includes(dirname(path)));
  expect(crowdedFolders(around)).toEqual([]);
  const many = Array.from({ length: 40 }, (_, index) => `browser/report/parts/extra${index}.tsx`);
  expect(crowdedFolders([...around, ...many])).toEqual(['browser/report/parts has 47 files side by side']);
});

test('comments and texts do not count as code', () => {
  const line = `// Date.now()\n/** import x from 'node:fs' */\nexport const words = 'process.env' + \`fetch(x)\`;`;
  expect(violations(withLine(anchor, line))).toEqual(violations(graph));
});
