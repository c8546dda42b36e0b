/** Builds `dist/`: bundles with lazy chunks, JSON Schemas, and type declarations. Run by `prepare`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { bundlePage, pages } from './browserPages.ts';
import {
  builtInsByName,
  fewerChunks,
  fewerModules,
  fewerParts,
  fewerProviderChunks,
  joins,
  otherEntry,
  parser,
  providerExecutable,
  providerJoins,
  providerStart,
  rare,
  rareFiles,
  withoutClient,
} from './bundling.ts';
import { compileEarly } from './compileEarly.ts';
import { inMemory, joinChunks } from './joinChunks.ts';
import { billOfMaterials, bundledPackages, licencesText } from './licences.ts';

const root = new URL('..', import.meta.url).pathname;

/** Built in another folder, and moved here in one step, so that a concurrent run of `dist/` finds it complete. */
const built = `${root}node_modules/.gantry-dist-${process.pid}`;
const replaced = `${built}-old`;
process.on('exit', () => {
  for (const folder of [built, replaced]) rmSync(folder, { recursive: true, force: true });
});

execFileSync(process.execPath, [`${root}scripts/generate.ts`], { stdio: 'inherit', cwd: root });

const shared = {
  absWorkingDir: root,
  outdir: built,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // `constructs` must be the user's own copy, and the client of PostgreSQL is installed only if needed. Everything else
  // is in the bundle: installing Gantry installs one package.
  external: ['constructs', 'pg', 'pg-boss', '@electric-sql/pglite'],
  metafile: true,
  define: { esbuildDetection: 'true' }, // makes undici omit its experimental parser
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
} satisfies BuildOptions;
// Built separately: shared parts would be cut into many small files, and loading each file takes time. The entry only
// re-exports: a user's bundle that imports only units contains nothing else (`sideEffects` in package.json).
const index = await build({
  ...shared,
  entryPoints: { constructs: 'src/index.ts', units: 'constructs/quantities.ts' },
  splitting: true,
  chunkNames: 'values-[hash]',
  banner: {}, // nothing in it needs `require`
  plugins: [builtInsByName],
});
writeFileSync(`${built}/index.js`, entryOf(index.metafile));
rmSync(`${built}/units.js`);
// It has every validator, which are mostly white space. A rehearsal comes from `automation`, which has the platform.
const testing = await build({
  ...shared,
  entryPoints: { testing: 'src/testing.ts' },
  minifyWhitespace: true,
  lineLimit: 160, // Node prints the line of an uncaught error
  minifySyntax: true,
  plugins: [otherEntry('automation'), withoutClient],
});
const runners = await build({
  ...shared,
  outdir: `${built}/testing`,
  entryPoints: ['vitest', 'jest', 'jestGlobals'].map((runner) => `src/runners/${runner}.ts`),
  external: ['vitest'],
  plugins: [otherEntry('testing')],
});
const choiceWorker = await build({
  ...shared,
  entryPoints: { choiceWorker: 'src/server/access/choiceWorker.ts' },
});
const stackChild = await build({
  ...shared,
  entryPoints: { stackChild: 'src/project/stack/child.ts' },
  splitting: true,
  chunkNames: 'stack-[hash]',
  banner: {}, // nothing in it needs `require`
  plugins: [withoutClient, builtInsByName],
});
const main = await build({
  ...shared,
  entryPoints: { cli: 'src/cli/main.ts' },
  banner: {}, // nothing in it needs `require`
  plugins: [otherEntry('cli/start')],
});
const policyWorker = await build({
  ...shared,
  entryPoints: { policyWorker: 'src/policies/sandbox/worker.ts' },
  minifyWhitespace: true,
  lineLimit: 160,
  minifySyntax: true,
  plugins: [withoutClient],
});
const policies = await build({
  ...shared,
  entryPoints: { policies: 'src/policies.ts' },
  minifyWhitespace: true,
  lineLimit: 160,
});
const commandLine = {
  ...shared,
  entryPoints: { start: 'src/cli/start.ts', automation: 'src/automation.ts' },
  minifyWhitespace: true,
  lineLimit: 160, // Node prints the line of an uncaught error
  minifySyntax: true, // keeps names, for readable stack traces
} satisfies BuildOptions;
const cli = await build({
  ...inMemory(commandLine, 'chunks/[name]-[hash]'),
  plugins: [fewerChunks, fewerModules, fewerParts, builtInsByName, rareFiles('..')],
});
await joinChunks(cli, joins, commandLine);
chmodSync(`${built}/cli.js`, 0o755);
// Imported after their own imports were generated.
const [{ manPages }, { version }, { completionFiles }, { makeProgram }] = await Promise.all([
  import('../src/commands/manPages.ts'),
  import('../src/terminal/version.ts'),
  import('../src/cli/completion/makeTree.ts'),
  import('../src/cli/program.ts'),
]);
mkdirSync(`${built}/man`, { recursive: true });
for (const [file, page] of await manPages(
  makeProgram(async () => {}),
  version,
))
  writeFileSync(`${built}/man/${file}`, page);
mkdirSync(`${built}/completion`, { recursive: true });
for (const [file, tree] of await completionFiles(makeProgram(async () => {}))) {
  writeFileSync(`${built}/completion/${file}`, JSON.stringify(tree));
}
// A folder in Terraform's layout: the started program, and the parts that it loads on demand.
const provider = {
  ...shared,
  outdir: `${built}/terraform-provider/parts`,
  entryPoints: { main: 'src/provider/main.ts' },
  outExtension: { '.js': '.mjs' },
  minifyWhitespace: true,
  minifySyntax: true,
} satisfies BuildOptions;
const providerParts = await build({
  ...inMemory(provider, '[name]-[hash]'),
  plugins: [fewerProviderChunks, fewerModules, builtInsByName, rareFiles('.')],
});
await joinChunks(providerParts, providerJoins, provider);
const executable = `${built}/terraform-provider/terraform-provider-gantry`;
writeFileSync(executable, providerExecutable, { mode: 0o755 });
writeFileSync(`${built}/terraform-provider/parts/start.cjs`, providerStart);

mkdirSync(`${built}/schemas`, { recursive: true });
cpSync(`${root}generated/schemas`, `${built}/schemas`, { recursive: true });
cpSync(`${root}templates`, `${built}/templates`, { recursive: true });
cpSync(`${root}src/server/store/postgres/migrations`, `${built}/migrations`, { recursive: true });
// The files that the sandbox reads: its thread, the interpreter, and the library that runs in it. The provider also has
// the embedded platform, and its folder must be complete.
const resolved = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));
const parts = `${built}/terraform-provider/parts`;
const rareOnes = await build({
  ...shared,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  entryPoints: Object.fromEntries(Object.entries(rare).map(([name, { source }]) => [name, source])),
  banner: {},
  minify: true,
});
for (const folder of [built, parts]) {
  for (const name of Object.keys(rare)) if (folder !== built) cpSync(`${built}/${name}.cjs`, `${folder}/${name}.cjs`);
  cpSync(resolved('@jitl/quickjs-wasmfile-release-sync/wasm'), `${folder}/emscripten-module.wasm`);
  cpSync(createRequire(import.meta.url).resolve('@jmespath-community/jmespath'), `${folder}/jmespath.cjs`);
  writeFileSync(`${folder}/${parser.file}`, createRequire(import.meta.url)(parser.source));
}
cpSync(`${built}/choiceWorker.js`, `${parts}/choiceWorker.mjs`);
const [{ schemaFile, getProviderSchema }, { codecOf }] = await Promise.all([
  import('../src/provider/services/schemaCalls.ts'),
  import('../src/provider/protocol/wire.ts'),
]);
const schema = await getProviderSchema();
if ('bytes' in schema) throw new Error(`there is a ${schemaFile} in the source`);
writeFileSync(`${parts}/${schemaFile}`, codecOf('GetProviderSchema.Response').encode(schema));

// The other bundles contain these as texts, without their metadata.
const browserPages = await Promise.all(pages.map((page) => bundlePage(root, page)));
const bundles = [
  ...browserPages,
  index,
  testing,
  runners,
  choiceWorker,
  stackChild,
  policyWorker,
  policies,
  main,
  cli,
  providerParts,
  rareOnes,
].map(({ metafile }) => metafile);
const packages = bundledPackages(
  bundles,
  ['@jmespath-community/jmespath', '@jitl/quickjs-wasmfile-release-sync'],
  root,
);
writeFileSync(`${built}/THIRD-PARTY-LICENSES.txt`, licencesText(packages));
writeFileSync(
  `${built}/bundled.cdx.json`,
  `${JSON.stringify(billOfMaterials(packages, { name: 'gantry', version }), null, 2)}\n`,
);
const { documentSchemas } = await import('../src/cli/declared/documents.ts');
for (const [name, schema] of Object.entries(documentSchemas)) {
  writeFileSync(`${built}/schemas/${name}.json`, `${JSON.stringify(await schema(), null, 2)}\n`);
}

execFileSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json', '--outDir', `${built}/types`],
  { stdio: 'inherit', cwd: root },
);

// Written by hand, because it extends a package that is not installed here.
const byHand = 'src/runners/jestGlobalsTypes.d.ts';
cpSync(`${root}${byHand}`, `${built}/types/${byHand}`);

await compileEarly(built, `${root}examples/shop-yaml`);

if (existsSync(`${root}dist`)) renameSync(`${root}dist`, replaced);
renameSync(built, `${root}dist`);

/** The chunk that re-exports the units, and the rest from the constructs. */
function entryOf({ outputs }: Metafile): string {
  const exportsOf = (name: string) =>
    Object.entries(outputs).find(([path]) => path.endsWith(`/${name}.js`))?.[1].exports ?? [];
  const units = exportsOf('units');
  const others = exportsOf('constructs').filter((name) => !units.includes(name));
  return `${readFileSync(`${built}/units.js`, 'utf8')}export { ${others.join(', ')} } from './constructs.js';\n`;
}
