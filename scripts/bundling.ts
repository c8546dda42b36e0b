import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Join } from './joinChunks.ts';

/** Loaded by name because it is rare and large: each stays a chunk of its own. */
const apart: readonly string[] = [
  'src/cli/commands/{adopt,approve,doctor,policy,promote,synthTerraform}.ts',
  'src/cli/commands/{ci,reconcile,terraform}/*.ts',
  'src/commands/run/edit.ts',
  'src/report/renderHtml.ts',
  'src/report/model/lineDiff.ts',
  'src/gantry/examineByWriting.ts',
];

interface Group {
  readonly name: string;
  readonly places: readonly string[];
}

/**
 * Modules that are loaded by name and belong in one file, because a run that needs one needs most of the others' parts.
 * A plan of a stack loads `plan`, `client` and `yaml`, and not what other commands need, which is in `commands`. The first
 * group with a matching pattern takes a module.
 */
const groups: readonly Group[] = [
  {
    name: 'documents',
    places: ['src/cli/schemas/*', 'src/change/documents/*', 'src/change/savedForm.ts', 'src/kinds/errorSchema.ts'],
  },
  { name: 'server', places: ['src/server/start.ts', 'src/cli/commands/serve.ts', 'src/rehearsal/*'] },
  {
    name: 'plan',
    places: [
      'src/cli/conclude.ts',
      'src/cli/commands/plan.ts',
      'src/project/settings/{newProject,profileStore}.ts',
      'src/project/stack/runStack.ts',
      'src/plan/*',
      'src/plan/{consequences,references}/*',
    ],
  },
  {
    name: 'commands',
    places: [
      'src/cli/commands/**',
      'src/terminal/{problemText,usageError,wrongCommandLine}.ts',
      'src/cli/output/reported.ts',
      'src/cli/steps/applySaved.ts',
      'src/gantry/{explainResource,listRecords,openGantry,readDrift,readOutputs,readStatus,saved,undo}.ts',
      'src/gantry/applying/*',
      'src/gantry/savedPlan/file.ts',
      'src/report/**',
      'src/{plan,change}/**',
      'src/apply/*',
    ],
  },
  { name: 'records', places: ['src/commands/{runCommand,run/*}.ts', 'src/cli/completion/liveNames.ts'] },
  { name: 'verbs', places: ['src/kinds/*/client.ts'] },
  // Who wrote what is asked where something changes or is deleted.
  {
    name: 'trail',
    places: ['src/gantry/loading/nameWriters.ts', 'src/client/{auditTrail,keepingShown,recordsOnly,trailsOfNames}.ts'],
  },
  { name: 'client', places: ['src/client/*'] },
  {
    name: 'yaml',
    places: [
      'src/project/files/dataFile.ts',
      'src/project/inputs/readFiles.ts',
      'src/manifest/parseManifestText.ts',
      'src/dialect/*',
    ],
  },
];

/** Of the provider: what the second process of a plan needs, and beside it the third. */
const providerGroups: readonly Group[] = [
  { name: 'server', places: ['src/server/start.ts'] },
  { name: 'validate', places: ['src/provider/services/{configure,state,validate}.ts'] },
  {
    name: 'live',
    places: [
      'src/provider/services/{applyChange,planChange,readDataSource,readResource}.ts',
      'src/client/*',
      'src/project/files/projectFiles.ts',
      'src/project/platform/{dialectFile,keptCapabilities}.ts',
      'src/project/settings/{profileStore,settings,tokenTarget}.ts',
    ],
  },
];

/** The modules of each group: every file below `src` that is loaded by name and is in one of the group's places. */
function groupedModules(root: string, groups: readonly Group[]): ReadonlyMap<string, readonly string[]> {
  const loaded = new Set(
    readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .flatMap(({ parentPath, name }) =>
        [...readFileSync(join(parentPath, name), 'utf8').matchAll(/(?<!typeof )\bimport\('(\.[^']+)'\)/g)].map(
          ([, path = '']) => relative(root, join(parentPath, path)).replaceAll('\\', '/'),
        ),
      ),
  );
  const matches = (module: string, places: readonly string[]) => places.some((place) => matchesGlob(module, place));
  const homes = [...loaded]
    .filter((module) => !matches(module, apart))
    .sort()
    .map((module) => [groups.find(({ places }) => matches(module, places))?.name, module] as const);
  return new Map(groups.map(({ name }) => [name, homes.flatMap(([home, module]) => (home === name ? [module] : []))]));
}

/** Puts the lazily loaded modules of a group into one chunk. Every file that is loaded costs half a millisecond. */
function fewerChunksOf(groups: readonly Group[]): Plugin {
  return {
    name: 'fewer-chunks',
    setup(build) {
      const root = build.initialOptions.absWorkingDir ?? process.cwd();
      for (const [name, modules] of groupedModules(root, groups)) {
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
}

export const fewerChunks = fewerChunksOf(groups);
export const fewerProviderChunks = fewerChunksOf(providerGroups);

/**
 * Modules that are loaded together in most runs, in the order in which they are loaded: a later group has those that no
 * earlier one has.
 */
export const joins: readonly Join[] = [
  { name: 'start', roots: ['src/cli/start.ts'] },
  { name: 'errors', roots: ['src/automation.ts'] },
  { name: 'early', roots: ['src/project/stack/early.ts'] },
  { name: 'line', roots: ['src/cli/run.ts'] },
  { name: 'declarations', roots: ['src/cli/program.ts'] },
  {
    name: 'kinds',
    roots: ['src/commands/parseClientLine.ts', 'src/terminal/terminal.ts'],
    sharedWith: 'group-plan:plan',
  },
  { name: 'plan', roots: ['group-plan:plan'] },
  { name: 'client-line', roots: ['src/commands/parseClientLine.ts', 'src/terminal/terminal.ts'] },
  { name: 'client', roots: ['group-client:client'] },
  { name: 'yaml', roots: ['group-yaml:yaml'] },
  { name: 'trail', roots: ['group-trail:trail'] },
  { name: 'work', roots: ['group-commands:commands'] },
  { name: 'verbs', roots: ['group-verbs:verbs'] },
  { name: 'records', roots: ['group-records:records'] },
  { name: 'platform', roots: ['group-server:server'] },
];

/** The same of the provider. */
export const providerJoins: readonly Join[] = [
  { name: 'start', roots: ['src/provider/main.ts'] },
  { name: 'serve', roots: ['src/provider/serve.ts'] },
  { name: 'calls', roots: ['src/provider/services/makeHandlers.ts', 'src/provider/services/schemaCalls.ts'] },
  { name: 'validate', roots: ['group-validate:validate'] },
  { name: 'live', roots: ['src/provider/services/providerSession.ts', 'group-live:live'] },
  { name: 'platform', roots: ['group-server:server'] },
];

/** Modules that a dependency names, and that never run here, or (`contents`) only when a fault is found. */
const spared: readonly { readonly importer: RegExp; readonly module: RegExp; readonly contents?: string }[] = [
  // Commander starts executables for sub-commands; ours are functions. Takes 4 ms.
  { importer: /\/commander\//, module: /^node:child_process$/ },
  // The pool is opened with `allowH2: false`.
  { importer: /\/undici\//, module: /\/client-h2\.js$/ },
  // Bodies that are forms: ours are texts.
  { importer: /\/undici\//, module: /\/web\/(?:fetch|webidl)/ },
  // Its limit of headers, which the pool is given, and requests as bodies. Takes 2 ms.
  { importer: /\/undici\//, module: /^node:http$/ },
  // Takes 3 ms.
  {
    importer: /\/undici\//,
    module: /^node:assert$/,
    contents: "module.exports = (holds, said) => { if (!holds) require('node:assert')(holds, said); };",
  },
];

export const fewerModules: Plugin = {
  name: 'fewer-modules',
  setup(build) {
    for (const { importer, module, contents: pluginData } of spared) {
      build.onResolve({ filter: module }, ({ path, ...args }) =>
        importer.test(args.importer.replaceAll('\\', '/')) ? { path, namespace: 'spared', pluginData } : undefined,
      );
    }
    build.onLoad({ filter: /^/, namespace: 'spared' }, ({ pluginData = 'module.exports = {};' }) => ({
      contents: pluginData,
    }));
    // A tree of the names of headers, which takes 3 ms to build: what it does not know, undici decodes itself.
    build.onLoad({ filter: /\/undici\/lib\/core\/tree\.js$/ }, () => ({
      contents: 'exports.tree = { lookup: () => null };',
    }));
  },
};

/** Modules that are rarely asked for: a file beside the chunks, `<name>.cjs`, that is loaded at the first use. */
export const rare = {
  /** The list of public suffixes, for rules of domains. */
  suffixes: {
    module: /^tldts$/,
    source: 'tldts',
    contents: 'export const getDomain = (...given) => it().getDomain(...given);',
  },
  /** The pages of help. */
  help: {
    module: /^\.\/(?:lib\/)?help\.js$/,
    source: './node_modules/commander/lib/help.js',
    contents:
      'exports.Help = function Help(...given) { return new (it().Help)(...given); };' +
      'exports.stripColor = (text) => it().stripColor(text);',
  },
  /** The parser of undici for processors without SIMD. */
  llhttp: {
    module: /\/llhttp-wasm\.js$/,
    source: 'undici/lib/llhttp/llhttp-wasm.js',
    contents: 'module.exports = it();',
  },
} as const;

/** The parser of undici, which it has as text in its code: a file beside the chunks. */
export const parser = { source: 'undici/lib/llhttp/llhttp_simd-wasm.js', file: 'llhttp.wasm' } as const;

const compiling = "new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))";

/**
 * Compiles it. After some ten answers V8 would optimize its one large function, which takes a sixth of the processor time
 * of a plan of 100; an apply of 2,000 gains nothing by it. The flags are set back at once, because what Node keeps of
 * compiled code is only good for the flags it was compiled with.
 */
const compiledParser = `const bytes = require('node:fs').readFileSync(file);
const { setFlagsFromString } = require('node:v8');
const flags = ['wasm-lazy-compilation', 'wasm-dynamic-tiering', 'wasm-tier-up'];
for (const flag of flags) setFlagsFromString('--no-' + flag);
try {
  module.exports = new WebAssembly.Module(bytes);
} finally {
  for (const flag of flags) setFlagsFromString('--' + flag);
}`;

/** `folder`: from a chunk to these files. */
export function rareFiles(folder: '.' | '..'): Plugin {
  return {
    name: 'rare-files',
    setup(build) {
      for (const [name, { module, contents }] of Object.entries(rare)) {
        const namespace = `rare-${name}`;
        build.onResolve({ filter: module }, ({ path }) => ({ path, namespace }));
        // A path that is put together is none that the bundler follows.
        const load = `const it = () => require(['${folder}', '${name}.cjs'].join('/'));`;
        build.onLoad({ filter: /^/, namespace }, () => ({ contents: `${load}\n${contents}` }));
      }
      // Of its tables the client reads two.
      build.onResolve({ filter: /\/llhttp\/constants\.js$/ }, ({ path }) => ({ path, namespace: 'tables' }));
      build.onLoad({ filter: /^/, namespace: 'tables' }, async () => {
        const { ERROR, TYPE } = await import('undici/lib/llhttp/constants.js');
        return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
      });
      build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path }) => ({ path, namespace: 'parser' }));
      build.onLoad({ filter: /^/, namespace: 'parser' }, () => ({
        contents: `const file = require.resolve(['${folder}', '${parser.file}'].join('/'));\n${compiledParser}`,
      }));
      build.onLoad({ filter: /\/undici\/lib\/dispatcher\/client-h1\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes(compiling)) throw new Error(`${path} does not compile its parser as before`);
        return { contents: text.replace(compiling, compiling.slice('new WebAssembly.Module('.length, -1)) };
      });
    },
  };
}

/** Node 22 tells with the first use of SQLite that it is experimental: it is no concern of whoever runs a plan. */
const quietSqlite = `const all = () => {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  const sqlite = process.getBuiltinModule('node:sqlite');
  process.emitWarning = emitWarning;
  return sqlite;
};`;

/**
 * A built-in module that is imported is evaluated with all that it exports, lazy parts too: 3 ms for `node:fs`. Asked for
 * by name it is not.
 */
export const builtInsByName: Plugin = {
  name: 'built-ins-by-name',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'built-in' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'built-in' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'default');
      // What nobody uses is left out, as what is marked as pure may be.
      const read = (name: string) => `/* @__PURE__ */ (() => all()${name})()`;
      const isRare = path === 'node:child_process'; // few runs start a program
      return {
        contents: [
          path === 'node:sqlite' ? quietSqlite : `const all = () => process.getBuiltinModule('${path}');`,
          ...names.map(
            (name) => `export const ${name} = ${isRare ? `(...given) => all().${name}(...given)` : read(`.${name}`)};`,
          ),
          `export default ${isRare ? `{ ${names.join(', ')} }` : read('')};`,
        ].join('\n'),
      };
    });
  },
};

/** OpenTelemetry has its modules as ES modules too, of which the bundle takes what is used: 88 kB in place of 516 kB. */
export const fewerParts: Plugin = {
  name: 'fewer-parts',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/[a-z-]+$/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolved') return undefined;
      const found = await build.resolve(path, { ...from, pluginData: 'resolved' });
      const module = found.path.replace(/([\\/])build[\\/]src[\\/]index\.js$/, '$1build$1esm$1index.js');
      return existsSync(module) ? { path: module, sideEffects: false } : found;
    });
  },
};

/**
 * Leaves out what only `gantry KIND VERB` needs of the kinds: a bundle without chunks would carry what the sheets load when
 * it is needed.
 */
export const withoutClient: Plugin = {
  name: 'without-client',
  setup(build) {
    build.onResolve({ filter: /^\.\/client\.ts$/ }, () => ({ path: 'client', namespace: 'without-client' }));
    build.onLoad({ filter: /^/, namespace: 'without-client' }, () => ({ contents: '' }));
    // What a file without code exports is undefined, as the sheet of a kind without facts of the client says it.
    build.initialOptions.logOverride = { 'import-is-undefined': 'silent' };
  },
};

/** Another entry, below `src`, is loaded from its own file, so that what is in it is there once. */
export function otherEntry(source: string): Plugin {
  const name = basename(source);
  return {
    name: `other-entry-${name}`,
    setup(build) {
      const file = join(build.initialOptions.absWorkingDir ?? process.cwd(), `src/${source}.ts`);
      const out = build.initialOptions.outdir?.endsWith('/testing') === true ? '..' : '.';
      build.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, ({ path, resolveDir }) =>
        join(resolveDir, path) === file ? { path: `${out}/${name}.js`, external: true } : undefined,
      );
    },
  };
}

/**
 * The program that Terraform starts. It is a script of the shell: how Node treats a file without a known extension
 * depends on the nearest `package.json`, and a mirror of providers may be in a project of any type. Terraform shows
 * only standard output. A package that carries Node has it beside the parts. Most processes of Terraform are short, so
 * that it pays to collect no garbage at their start.
 */
export const providerExecutable = `#!/bin/sh
parts="\${0%/*}/parts"
node="$parts/node"
if [ ! -x "$node" ]; then
  node=node
  if ! command -v node >/dev/null; then
    echo 'The Gantry provider needs Node 22.19 or newer on the PATH, and there is no node'
    exit 1
  fi
fi
exec "$node" --min-semi-space-size=16 "$parts/start.cjs" "$@"
`;

/** The program that it starts, whatever Node the machine has. */
export const providerStart = `const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) import('./main.mjs');
else {
  console.log('The Gantry provider needs Node 22.19 or newer on the PATH, this is ' + process.versions.node);
  process.exitCode = 1;
}
`;
