/** Builds `dist/`: bundles with lazy chunks, JSON Schemas, and type declarations. Run by `prepare`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;

/** Built beside, and put in place in one step: whoever runs `dist/` meanwhile finds it whole. */
const built = `${root}node_modules/.gantry-dist-${process.pid}`;
const replaced = `${built}-old`;
process.on('exit', () => {
  for (const folder of [built, replaced]) rmSync(folder, { recursive: true, force: true });
});

execFileSync(process.execPath, [`${root}scripts/generate.ts`], { stdio: 'inherit', cwd: root });

await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
  outdir: built,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // `constructs` must be the user's own copy; fastify and pino load files of their own at run time.
  external: ['constructs', 'fastify', 'pino'],
  chunkNames: 'chunks/[name]-[hash]',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
chmodSync(`${built}/cli.js`, 0o755);

mkdirSync(`${built}/schemas`, { recursive: true });
cpSync(`${root}generated/schemas`, `${built}/schemas`, { recursive: true });
const { planSchema } = await import('../src/plan/planSchema.ts');
writeFileSync(`${built}/schemas/plan.json`, `${JSON.stringify(planSchema, null, 2)}\n`);

execFileSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json', '--outDir', `${built}/types`],
  { stdio: 'inherit', cwd: root },
);

if (existsSync(`${root}dist`)) renameSync(`${root}dist`, replaced);
renameSync(built, `${root}dist`);
