import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Join } from './joinChunks.ts';

/** Loaded by name because they are rare and large: each stays a separate chunk. */
const apart: readonly string[] = [
  'src/cli/commands/{adopt,approve,doctor,policy,promote,synthTerraform}.ts',
  'src/cli/commands/{ci,reconcile,terraform}/*.ts',
  'src/commands/run/edit.ts',
  'src/report/renderHtml.ts',
  'src/report/lineDiff.ts',
  'src/gantry/examineByWriting.ts',
];

interface Group {
  readonly name: string;
  readonly places: readonly string[];
}

/**
 * Modules that are loaded by name and belong in one file, because a run that needs one needs most of the others' parts.
 * A plan of a stack loads `plan`, `client` and `yaml`, but not `commands`, which other commands need. A module belongs
 * to the first group with a matching pattern.
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
  // Writers are queried if something changes or is deleted.
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

/** For the provider: the parts that the second process of a plan needs, then those of the third. */
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
      'src/project/settings/{profileStore,resolveSettings,tokenTarget}.ts',
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

/** Puts the lazily loaded modules of a group into one chunk. Loading a file takes half a millisecond. */
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
 * Modules that are loaded together in most runs, in loading order: a later group has those that are in no earlier one.
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

/** The same for the provider. */
export const providerJoins: readonly Join[] = [
  { name: 'start', roots: ['src/provider/main.ts'] },
  { name: 'serve', roots: ['src/provider/serve.ts'] },
  { name: 'calls', roots: ['src/provider/services/makeHandlers.ts', 'src/provider/services/schemaCalls.ts'] },
  { name: 'validate', roots: ['group-validate:validate'] },
  { name: 'live', roots: ['src/provider/services/providerSession.ts', 'group-live:live'] },
  { name: 'platform', roots: ['group-server:server'] },
];

/** Modules that a dependency imports, and that never run here, or (`contents`) only after an error. */
const spared: readonly { readonly importer: RegExp; readonly module: RegExp; readonly contents?: string }[] = [
  // Commander starts executables for sub-commands; ours are functions. Takes 4 ms.
  { importer: /\/commander\//, module: /^node:child_process$/ },
  // The pool is opened with `allowH2: false`.
  { importer: /\/undici\//, module: /\/client-h2\.js$/ },
  // Bodies that are forms; ours are texts.
  { importer: /\/undici\//, module: /\/web\/(?:fetch|webidl)/ },
  // Its default header limit, which the pool is given explicitly, and requests as bodies. Takes 2 ms.
  { importer: /\/undici\//, module: /^node:http$/ },
  // Channels for its own debugging, to which nothing subscribes: 6 kB.
  {
    importer: /\/undici\//,
    module: /\/diagnostics(?:\.js)?$/,
    contents: 'const unheard = { hasSubscribers: false }; exports.channels = new Proxy({}, { get: () => unheard });',
  },
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
    // A tree of header names, which takes 3 ms to build: undici decodes unknown ones itself.
    build.onLoad({ filter: /\/undici\/lib\/core\/tree\.js$/ }, () => ({
      contents: 'exports.tree = { lookup: () => null };',
    }));
  },
};

/** Rarely needed modules: each is a file beside the chunks, `<name>.cjs`, that is loaded at the first use. */
export const rare = {
  /** The list of public suffixes, for rules about domains. */
  suffixes: {
    module: /^tldts$/,
    source: 'tldts',
    contents: 'export const getDomain = (...given) => it().getDomain(...given);',
  },
  help: {
    module: /^\.\/(?:lib\/)?help\.js$/,
    source: './node_modules/commander/lib/help.js',
    contents:
      'exports.Help = function Help(...given) { return new (it().Help)(...given); };' +
      'exports.stripColor = (text) => it().stripColor(text);',
  },
  /** undici's parser for processors without SIMD. */
  llhttp: {
    module: /\/llhttp-wasm\.js$/,
    source: 'undici/lib/llhttp/llhttp-wasm.js',
    contents: 'module.exports = it();',
  },
} as const;

/** undici's parser, embedded in its code as text: a file beside the chunks. */
export const parser = { source: 'undici/lib/llhttp/llhttp_simd-wasm.js', file: 'llhttp.wasm' } as const;

const compiling = "new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))";

/**
 * Compiles it. After some ten answers V8 would optimize its one large function, which takes a sixth of the processor
 * time of a plan of 100; even an apply of 2,000 gains nothing by it. The flags are reset immediately, because Node's
 * cache of compiled code is only valid for the same flags.
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

/** `folder`: the relative path from a chunk to these files. */
export function rareFiles(folder: '.' | '..'): Plugin {
  return {
    name: 'rare-files',
    setup(build) {
      for (const [name, { module, contents }] of Object.entries(rare)) {
        const namespace = `rare-${name}`;
        build.onResolve({ filter: module }, ({ path }) => ({ path, namespace }));
        // The bundler does not follow a computed path.
        const load = `const it = () => require(['${folder}', '${name}.cjs'].join('/'));`;
        build.onLoad({ filter: /^/, namespace }, () => ({ contents: `${load}\n${contents}` }));
      }
      // The client reads two of its tables.
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

/** Node 22 warns at the first use of SQLite that it is experimental, which is irrelevant to users. */
const quietSqlite = `const all = () => {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  const sqlite = process.getBuiltinModule('node:sqlite');
  process.emitWarning = emitWarning;
  return sqlite;
};`;

/**
 * An imported built-in module is evaluated with all its exports, including lazy ones: 3 ms for `node:fs`.
 * `getBuiltinModule` avoids that.
 */
export const builtInsByName: Plugin = {
  name: 'built-ins-by-name',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'built-in' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'built-in' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'default');
      // Unused ones are omitted, because they are marked as pure.
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

/** OpenTelemetry also has ES modules, from which the bundle takes only the used parts: 88 kB instead of 516 kB. */
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
 * Omits the parts of kinds that only `gantry KIND VERB` needs: a bundle without chunks would contain what the sheets
 * load on demand.
 */
export const withoutClient: Plugin = {
  name: 'without-client',
  setup(build) {
    build.onResolve({ filter: /^\.\/client\.ts$/ }, () => ({ path: 'client', namespace: 'without-client' }));
    build.onLoad({ filter: /^/, namespace: 'without-client' }, () => ({ contents: '' }));
    // An empty file exports undefined, which is also the value in the sheet of a kind without client facts.
    build.initialOptions.logOverride = { 'import-is-undefined': 'silent' };
  },
};

/** Another entry, below `src`, is loaded from its own file, so that its content exists once. */
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
 * The program that Terraform starts. It is a shell script: how Node treats a file without a known extension depends on
 * the nearest `package.json`, and a mirror of providers may be in a project of any type. Terraform shows only standard
 * output. A package that includes Node has it beside the parts. Most processes of Terraform are short, so garbage
 * collection at their start is not worth its time.
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

/** The program that it starts, with any Node version. */
export const providerStart = `const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) import('./main.mjs');
else {
  console.log('The Gantry provider needs Node 22.19 or newer on the PATH, this is ' + process.versions.node);
  process.exitCode = 1;
}
`;
