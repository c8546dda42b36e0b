import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Modules that are loaded by name, and that belong in one file: whoever needs one needs most of the others' parts. */
const groups = [
  {
    name: 'commands',
    modules: ['validate', 'synth', 'graph', 'plan', 'show', 'apply', 'destroy'].map(
      (command) => `src/cli/commands/${command}/run.ts`,
    ),
  },
  { name: 'client', modules: ['src/client/client.ts', 'src/client/fetchSnapshot.ts'] },
] as const;

/** Puts the lazily loaded modules of a group into one chunk. Every file that is loaded costs half a millisecond. */
export const fewerChunks: Plugin = {
  name: 'fewer-chunks',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    for (const { name, modules } of groups) {
      const namespace = `group-${name}`;
      const files = new Set(modules.map((module) => join(root, module)));
      build.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import' && files.has(join(resolveDir, path)) ? { path: name, namespace } : undefined,
      );
      build.onLoad({ filter: /^/, namespace }, () => ({
        contents: modules.map((module) => `export * from './${module}';`).join('\n'),
        resolveDir: root,
      }));
    }
  },
};

/** Built-in modules that a dependency loads at its start, and that are never used here. */
const spared = [
  // Commander starts executables for sub-commands; ours are functions. Takes 4 ms.
  { importer: /\/commander\//, builtIn: 'node:child_process', instead: 'module.exports = {};' },
  // The pool is opened with `allowH2: false`; undici itself goes without where there is no HTTP/2. Takes 8 ms.
  { importer: /\/undici\//, builtIn: 'node:http2', instead: 'module.exports = { constants: {} };' },
] as const;

export const fewerBuiltIns: Plugin = {
  name: 'fewer-built-ins',
  setup(build) {
    for (const { importer, builtIn, instead } of spared) {
      build.onResolve({ filter: new RegExp(`^${builtIn}$`) }, (args) =>
        importer.test(args.importer.replaceAll('\\', '/')) ? { path: builtIn, namespace: 'spared' } : undefined,
      );
      build.onLoad({ filter: new RegExp(`^${builtIn}$`), namespace: 'spared' }, () => ({ contents: instead }));
    }
  },
};
