/**
 * Mutation testing: `npm run mutation -- patch plan/order` makes one change at a time in these folders of `src/`, and
 * in those inside of them, and runs the tests of their area that cover it (`test/patch`, `test/plan`). Prints the
 * changes that no test detected, writes them with the figures of each folder to `test/mutation/`, and exits with 1 if a
 * tenth or more of a folder survived. `plan/.` is that folder without those inside of it. A single file
 * (`patch/writePatch.ts`), or some lines of it (`patch/writePatch.ts:10-40`), is only printed. `--tests=plan/order`
 * runs only the tests of that folder (`--tests='plan/{order,makePlan.test.ts}'` those of several, and of a file), and
 * only prints: it is much quicker in an area with many tests, and more may survive. `--every=10` runs one mutant of
 * ten, the same ones for the same source. Without an argument it lists the folders.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../src/base/json/json.ts';
import { setup as build } from '../test/build-once.ts';
import { isInSample, sampleName, sampleOf } from '../test/mutation/sample.ts';

const root = new URL('..', import.meta.url).pathname;
const areas = [
  ...['base', 'schema', 'kinds', 'manifest', 'patch', 'plan', 'change', 'apply'],
  ...['hcl', 'provider', 'policies/rules', 'policies/sandbox', 'gantry', 'commands', 'server/records'],
];
/**
 * Areas that share tests: statements about a plan are tested by planning, kinds are tested as schemas. Replacements of
 * custom kinds are planned among the tests of kinds. References to live values, and to other stacks, keys that are shown
 * once, and values that persons set, are planned by commands in this process.
 */
const plans =
  '{plan,change,kinds/replacement.test.ts,apply/awaited.test.ts,cli/output.test.ts,e2e/commands/{claimsOfPersons,outputsInPlans,shownOnce,stacksInTurn,undoOfKeys}.test.ts}';
const schemas = '{base,schema,kinds/{published,rules}}';
const testsOf = new Map([
  ['plan', plans],
  ['change', plans],
  ['base', schemas],
  ['schema', schemas],
  ['kinds', schemas],
  // Declarable values, explanations, parts and values of the platform are tested through their callers.
  ['patch', '{patch,change/{adopt,explain},plan/{part,platformValues.test.ts,record}}'],
  // References to live values are tested through plans, applies and commands in this process.
  [
    'manifest',
    '{manifest,plan/{cause,draft/unknownSecrets.test.ts,model},apply/awaited.test.ts,cli/output.test.ts,hcl/configuration/liveTexts.test.ts,e2e/commands/{outputsInPlans,shownOnce}.test.ts}',
  ],
  // Values are tested through the provider, except for tests that start Terraform or run a build.
  ['hcl', '{hcl,provider/{plan,protocol,services}}'],
  ['provider', 'provider/{host,plan,platform,protocol,services}'],
  // Tests that run commands and programs in this process.
  [
    'gantry',
    '{gantry,change/undo,plan/ownership/adopt*,signing/program.test.ts,hcl/{state,documents/mirror.test.ts},cli/{planning,status,promote.test.ts,adoptCommand.test.ts,convert.test.ts,doctor.test.ts,destroyNamed.test.ts,policies/policies.test.ts,terraform/terraform.test.ts},e2e/commands/{adopt/adopt,newcomer,otherEnvironment,outputsInPlans,refusals,rehearsal,reading/{drift,explain,status,why},savedPlan/{savedPlan,severalStacks,signedPlan,undo},shownOnce,stacksInTurn}.test.ts,e2e/runs/triedCreation.test.ts}',
  ],
  [
    'commands',
    '{commands,client/otherReaders.test.ts,conformance/clients.test.ts,foreign/editing.test.ts,e2e/client/{edit,environments,everyCommand,failures,options,profiles,reapply,referenced,severalRecords}.test.ts}',
  ],
  ['policies/rules', '{policies,gantry/policies,cli/policies/policies.test.ts}'],
  ['policies/sandbox', '{policies,gantry/policies,cli/policies}'],
  // Results on the wire, and behaviour of records with a clock, jobs or many records.
  [
    'server/records',
    '{conformance,server/{agents,deletions,domains,images,ipsets,lenient,locations,org/org.test.ts,quotas,rules,secrets/atRest.test.ts,wire,workloads/{needs,rollout,workloads}.test.ts}}',
  ],
]);
/** Only texts for users, and code in the interpreter of policies, which is generated without mutants. */
const spared = [
  ...['!src/kinds/*/**/published.ts', '!src/kinds/*/**/*[wW]ords.ts'],
  '!src/policies/rules/*nSandbox.ts',
];
/** The exit code for a wrong argument, and for an error of Stryker. */
const failed = 2;

const { values: chosen, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string' }, every: { type: 'string' } },
});
const every = sampleOf(chosen.every);
const named = positionals.map((folder) => folder.replace(/^src\//, '').replace(/\/$/, ''));
if (named.length === 0) {
  console.log('Name one or more folders, for example: npm run mutation -- patch/reconcile');
  for (const folder of areas.flatMap(foldersIn)) console.log(`  ${folder}`);
}
if (!Number.isInteger(every) || every < 1) {
  console.error(`--every ${chosen.every} is not a number of mutants: give one of 1 or more.`);
  process.exit(failed);
}
for (const name of named.filter((each) => within(each).length === 0 && !isFile(each))) {
  console.error(`src/${name} is not one that can be mutated: ${areas.join(', ')}, or a folder or file inside of them.`);
  process.exitCode = failed;
}

const mostSurvivors = 0.1;

const head = `# Mutation testing

Written by \`npm run mutation -- FOLDER\`. A mutant is one change of the source; it survived where no test of its area fails.
What survived is named in \`survivors/\`. A mutant that timed out counts as found. Where a number of mutants says so, they are a
sample (\`--every\`).

| Folder | Mutants | Survived | Share | Timed out | Date |
| ------ | ------- | -------- | ----- | --------- | ---- |
`;

/** The fate of a mutant, by Stryker's name for it. Others did not run. */
const fates: ReadonlyMap<string, Mutant['fate']> = new Map([
  ['Killed', 'found'],
  ['Survived', 'survived'],
  ['NoCoverage', 'survived'],
  ['Timeout', 'timed out'],
]);

if (named.length > 0) build(); // tests run stacks with the built package
// Folders of one area share the slow steps: the copy of the repository and the first run of all its tests.
for (const area of areas) {
  const ofArea = named.filter((name) => name === area || name.startsWith(`${area}/`));
  const folders = [...new Set(ofArea.flatMap(within))];
  const files = ofArea.filter(isFile);
  if (folders.length + files.length > 0) run(area, folders, files);
}

/** `patch/writePatch.ts`, or with lines: `patch/writePatch.ts:10-40`. */
function isFile(name: string): boolean {
  const [path = ''] = name.split(':');
  return (
    areas.some((area) => path.startsWith(`${area}/`)) && path.endsWith('.ts') && existsSync(join(root, 'src', path))
  );
}

/** The folder and those inside of it that have source files. */
function within(name: string): readonly string[] {
  if (name.endsWith('/.')) return areas.flatMap(foldersIn).filter((folder) => `${folder}/.` === name);
  return areas.flatMap(foldersIn).filter((folder) => `${folder}/`.startsWith(`${name}/`));
}

function foldersIn(area: string): readonly string[] {
  const entries = readdirSync(join(root, 'src', area), { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile()).map(({ parentPath }) => parentPath);
  const folders = [...new Set(found)].map((path) => path.slice(join(root, 'src/').length));
  return folders.sort();
}

function run(area: string, folders: readonly string[], files: readonly string[]): void {
  const mutated = [...folders.map((folder) => `src/${folder}/*.ts`), ...files.map((file) => `src/${file}`), ...spared];
  // Coverage in a thread is not measured, so each mutant is tested by all tests.
  const counts = area === 'policies/sandbox' ? ['--coverageAnalysis', 'off'] : [];
  const stryker = [join(root, 'node_modules/.bin/stryker'), 'run', '--mutate', mutated.join(','), ...counts];
  const env = {
    ...process.env,
    GANTRY_MUTATION_AREA: chosen.tests ?? testsOf.get(area) ?? area,
    [sampleName]: String(every),
  };
  const { status } = spawnSync(process.execPath, stryker, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) {
    process.exitCode = failed;
    return;
  }
  const mutants = mutantsOf(JSON.parse(readFileSync(join(root, '.mutation/report.json'), 'utf8')), every);
  if (chosen.tests === undefined) {
    writeFigures(join(root, 'test/mutation'), { folders, mutants, every }, areas.flatMap(foldersIn));
  }
  for (const folder of folders) {
    report(
      folder,
      mutants.filter((mutant) => mutant.folder === folder),
    );
  }
  for (const file of files) {
    const [path = ''] = file.split(':');
    report(
      file,
      mutants.filter(({ place }) => place.startsWith(`src/${path}:`)),
    );
  }
}

function report(name: string, mutants: readonly Mutant[]): void {
  const survivors = mutants.filter(({ fate }) => fate === 'survived');
  for (const { place, change } of survivors) console.log(`${place}: ${change}`);
  const share = survivedShare(mutants.length, survivors.length);
  const timedOut = mutants.filter(({ fate }) => fate === 'timed out').length;
  const percent = (share * 100).toFixed(1);
  console.log(
    `src/${name}: ${survivors.length} of ${mutants.length} mutants survived (${percent} %), ${timedOut} timed out`,
  );
  if (share >= mostSurvivors) process.exitCode ??= 1;
}

function survivedShare(mutants: number, survivors: number): number {
  return mutants === 0 ? 0 : survivors / mutants;
}

interface Measured {
  readonly folders: readonly string[];
  readonly mutants: readonly Mutant[];
  /** One mutant of this many was run. */
  readonly every: number;
}

/**
 * Replaces the rows of these folders in the table, and their lists of survivors. Entries of folders that can no longer
 * be mutated are removed.
 */
function writeFigures(to: string, { folders, mutants, every }: Measured, known: readonly string[]): void {
  const table = join(to, 'figures.md');
  const before = existsSync(table) ? readFileSync(table, 'utf8').split('\n') : [];
  const rows = new Map(before.flatMap((line) => rowOf(line)));
  mkdirSync(join(to, 'survivors'), { recursive: true });
  for (const folder of folders) {
    const own = mutants.filter((mutant) => mutant.folder === folder);
    const survivors = own.filter(({ fate }) => fate === 'survived');
    rows.set(folder, rowText(folder, own, every));
    const lines = survivors.map(({ place, change }) => `${place}: ${change}\n`);
    writeFileSync(survivorsFile(to, folder), lines.join(''));
  }
  for (const gone of [...rows.keys()].filter((folder) => !known.includes(folder))) {
    rows.delete(gone);
    rmSync(survivorsFile(to, gone), { force: true });
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  writeFileSync(table, `${head}${sorted.join('\n')}\n`);
  execFileSync('npx', ['biome', 'format', '--write', table], { stdio: 'ignore' });
}

function survivorsFile(to: string, folder: string): string {
  return join(to, 'survivors', `${folder.replaceAll('/', '.')}.txt`);
}

function rowOf(line: string): readonly (readonly [string, string])[] {
  const [, folder] = /^\| `([^`]+)`/.exec(line) ?? [];
  return folder === undefined ? [] : [[folder, line]];
}

function rowText(folder: string, mutants: readonly Mutant[], every: number): string {
  const withFate = (fate: Mutant['fate']) => mutants.filter((mutant) => mutant.fate === fate).length;
  const survived = withFate('survived');
  const share = `${(survivedShare(mutants.length, survived) * 100).toFixed(1)} %`;
  const date = new Date().toISOString().slice(0, 10);
  const count = every === 1 ? mutants.length : `${mutants.length} (1 of ${every})`;
  return `| ${[`\`${folder}\``, count, survived, share, withFate('timed out'), date].join(' | ')} |`;
}

interface Mutant {
  /** Relative to `src/`. */
  readonly folder: string;
  readonly place: string;
  readonly fate: 'found' | 'survived' | 'timed out';
  readonly change: string;
}

/** The mutants of a sample, from the report of Stryker (the schema of mutation-testing-elements). */
function mutantsOf(report: unknown, every: number): readonly Mutant[] {
  const files = isObject(report) ? objectAt(report, 'files') : {};
  return Object.entries(files).flatMap(([path, file]) => {
    if (!isObject(file)) return [];
    const source = stringAt(file, 'source') ?? '';
    return listAt(file, 'mutants')
      .filter(isObject)
      .filter((mutant) => isInSample({ id: stringAt(mutant, 'id') ?? '' }, every))
      .flatMap((mutant) => mutantOf(path, source.split('\n'), mutant));
  });
}

function mutantOf(path: string, source: readonly string[], mutant: JsonObject): readonly Mutant[] {
  const fate = fates.get(stringAt(mutant, 'status') ?? '');
  if (fate === undefined) return [];
  const start = pointAt(mutant, 'start');
  const end = pointAt(mutant, 'end');
  const first = source[start.line - 1] ?? '';
  const changed = first.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
  const replacement = (stringAt(mutant, 'replacement') ?? '').replace(/\s+/g, ' ');
  return [
    {
      folder: dirname(path).replace(/^src\//, ''),
      place: `${path}:${start.line}:${start.column}`,
      fate,
      change: `${changed}${end.line === start.line ? '' : ' …'} -> ${replacement} in: ${first.trim()}`,
    },
  ];
}

function pointAt(mutant: JsonObject, which: 'start' | 'end'): { readonly line: number; readonly column: number } {
  const point = objectAt(objectAt(mutant, 'location'), which);
  return { line: numberAt(point, 'line') ?? 0, column: numberAt(point, 'column') ?? 0 };
}
