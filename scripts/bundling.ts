import type { Plugin } from 'esbuild';

/** Modules that are loaded by name, and that belong in one file: whoever needs one needs most of the others' parts. */
const groups = [
  { folder: 'src/cli/commands', modules: ['validate', 'synth', 'graph', 'plan', 'show', 'apply', 'destroy'] },
  { folder: 'src/client', modules: ['client', 'fetchSnapshot'] },
] as const;

/** Puts the lazily loaded modules of a group into one chunk. Every file that is loaded costs half a millisecond. */
export const fewerChunks: Plugin = {
  name: 'fewer-chunks',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    for (const { folder, modules } of groups) {
      const name = folder.replace(/^.*\//, '');
      const filter = new RegExp(`/${name}/(?:${modules.join('|')})\\.ts$`);
      build.onResolve({ filter }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: name, namespace: `group-${name}` } : undefined,
      );
      build.onLoad({ filter: /^/, namespace: `group-${name}` }, () => ({
        contents: modules.map((module) => `export * from './${module}.ts';`).join('\n'),
        resolveDir: `${root}/${folder}`,
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
