/**
 * Mutation testing: `npm run mutation -- patch/write plan/order` changes one thing after the other in these folders of
 * `src/` and runs the tests of their area that cover it (`test/patch`, `test/plan`). Prints what no test noticed, and
 * exits with 1 where that is a tenth or more. Without a folder: says which there are.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../src/schema/json/json.ts';

const root = new URL('..', import.meta.url).pathname;
const areas = ['patch', 'plan', 'apply', 'manifest', 'schema'];
const mostSurvivors = 0.1;

const folders = process.argv.slice(2).map((folder) => folder.replace(/^src\//, '').replace(/\/$/, ''));
if (folders.length === 0) listShards();
for (const folder of folders) run(folder);

function listShards(): void {
  console.log('Name one or more folders, for example: npm run mutation -- patch/write');
  for (const area of areas) {
    const entries = readdirSync(join(root, 'src', area), { recursive: true, withFileTypes: true });
    const found = new Set(entries.filter((entry) => entry.isFile()).map(({ parentPath }) => parentPath));
    for (const path of [...found].sort()) console.log(`  ${path.slice(join(root, 'src/').length)}`);
  }
}

function run(folder: string): void {
  const [area = ''] = folder.split('/');
  if (!areas.includes(area) || !existsSync(join(root, 'src', folder))) {
    console.error(`src/${folder} is not a folder that can be mutated: ${areas.join(', ')}, or one inside of them.`);
    process.exitCode = 2;
    return;
  }
  const stryker = [join(root, 'node_modules/.bin/stryker'), 'run', '--mutate', `src/${folder}/*.ts`];
  const { status } = spawnSync(process.execPath, stryker, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, GANTRY_MUTATION_AREA: area },
  });
  if (status !== 0) process.exitCode = 2;
  else report(folder);
}

interface Mutant {
  readonly place: string;
  readonly status: string;
  readonly change: string;
}

function report(folder: string): void {
  const mutants = mutantsOf(JSON.parse(readFileSync(join(root, '.mutation/report.json'), 'utf8')));
  const tested = mutants.filter(({ status }) => !['CompileError', 'RuntimeError', 'Ignored'].includes(status));
  const missed = tested.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  for (const { place, status, change } of missed) console.log(`${place}: ${status}: ${change}`);
  const share = tested.length === 0 ? 0 : missed.length / tested.length;
  const percent = (share * 100).toFixed(1);
  console.log(`src/${folder}: ${missed.length} of ${tested.length} mutants survived (${percent} %)`);
  if (share >= mostSurvivors) process.exitCode = 1;
}

/** The report of Stryker (the schema of mutation-testing-elements). */
function mutantsOf(document: unknown): readonly Mutant[] {
  const files = isObject(document) ? (objectAt(document, 'files') ?? {}) : {};
  return Object.entries(files).flatMap(([path, file]) => {
    const source = isObject(file) ? (stringAt(file, 'source') ?? '').split('\n') : [];
    return listAt(isObject(file) ? file : {}, 'mutants')
      .filter(isObject)
      .map((mutant) => mutantOf(path, source, mutant));
  });
}

function mutantOf(path: string, source: readonly string[], mutant: JsonObject): Mutant {
  const start = objectAt(objectAt(mutant, 'location'), 'start');
  const line = numberAt(start, 'line') ?? 0;
  return {
    place: `${path}:${line}:${numberAt(start, 'column') ?? 0}`,
    status: stringAt(mutant, 'status') ?? '',
    change: `${stringAt(mutant, 'mutatorName')} -> ${stringAt(mutant, 'replacement') ?? ''} in: ${source[line - 1]?.trim() ?? ''}`,
  };
}
