/** Builds `dist/`: bundles with lazy chunks, JSON Schemas, and type declarations. Run by `prepare`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type BuildOptions, build } from 'esbuild';
import { fewerBuiltIns, fewerChunks } from './bundling.ts';

const root = new URL('..', import.meta.url).pathname;

/** Built beside, and put in place in one step: whoever runs `dist/` meanwhile finds it whole. */
const built = `${root}node_modules/.gantry-dist-${process.pid}`;
const replaced = `${built}-old`;
process.on('exit', () => {
  for (const folder of [built, replaced]) rmSync(folder, { recursive: true, force: true });
});

execFileSync(process.execPath, [`${root}scripts/generate.ts`], { stdio: 'inherit', cwd: root });

const shared: BuildOptions = {
  absWorkingDir: root,
  outdir: built,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // `constructs` must be the user's own copy; the others load files of their own at run time.
  external: [
    'constructs',
    'pino',
    'pg',
    'pg-boss',
    'quickjs-emscripten-core',
    '@jitl/*',
    '@jmespath-community/jmespath',
  ],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
};
// Apart from each other: what both share would be cut into many small files, and each file that is loaded costs time.
await build({ ...shared, entryPoints: { index: 'src/index.ts' } });
await build({ ...shared, entryPoints: { choiceWorker: 'src/server/access/matching/choiceWorker.ts' } });
await build({ ...shared, entryPoints: { stackChild: 'src/cli/stack/child.ts' } });
await build({
  ...shared,
  entryPoints: { cli: 'src/cli/main.ts' },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  minifyWhitespace: true,
  minifySyntax: true, // names stay: a stack trace says what it means
  plugins: [fewerChunks, fewerBuiltIns],
});
chmodSync(`${built}/cli.js`, 0o755);

mkdirSync(`${built}/schemas`, { recursive: true });
cpSync(`${root}generated/schemas`, `${built}/schemas`, { recursive: true });
cpSync(`${root}src/server/store/postgres/migrations`, `${built}/migrations`, { recursive: true });
const { planSchema } = await import('../src/plan/documents/planSchema.ts');
writeFileSync(`${built}/schemas/plan.json`, `${JSON.stringify(planSchema, null, 2)}\n`);
const { savedPlanSchema } = await import('../src/plan/saved/savedForm.ts');
writeFileSync(`${built}/schemas/saved-plan.json`, `${JSON.stringify(savedPlanSchema, null, 2)}\n`);
const { explanationSchema } = await import('../src/plan/documents/explanationSchema.ts');
writeFileSync(`${built}/schemas/explanation.json`, `${JSON.stringify(explanationSchema, null, 2)}\n`);
const { driftSchema } = await import('../src/plan/documents/driftSchema.ts');
writeFileSync(`${built}/schemas/drift.json`, `${JSON.stringify(driftSchema, null, 2)}\n`);
const { statusSchema } = await import('../src/plan/documents/statusSchema.ts');
writeFileSync(`${built}/schemas/status.json`, `${JSON.stringify(statusSchema, null, 2)}\n`);
const { adoptionSchema } = await import('../src/plan/documents/adoptionSchema.ts');
writeFileSync(`${built}/schemas/adoption.json`, `${JSON.stringify(adoptionSchema, null, 2)}\n`);
const { errorSchema } = await import('../src/schema/published/errorSchema.ts');
writeFileSync(`${built}/schemas/error.json`, `${JSON.stringify(errorSchema, null, 2)}\n`);

execFileSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json', '--outDir', `${built}/types`],
  { stdio: 'inherit', cwd: root },
);

if (existsSync(`${root}dist`)) renameSync(`${root}dist`, replaced);
renameSync(built, `${root}dist`);
