/** Builds `dist/`: bundles with lazy chunks, JSON Schemas, and type declarations. Run by `prepare`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;

rmSync(`${root}dist`, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}scripts/generate.ts`], { stdio: 'inherit', cwd: root });

await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
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
chmodSync(`${root}dist/cli.js`, 0o755);

mkdirSync(`${root}dist/schemas`, { recursive: true });
cpSync(`${root}generated/schemas`, `${root}dist/schemas`, { recursive: true });
const { planSchema } = await import('../src/plan/planSchema.ts');
writeFileSync(`${root}dist/schemas/plan.json`, `${JSON.stringify(planSchema, null, 2)}\n`);

execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.types.json'], {
  stdio: 'inherit',
  cwd: root,
});
