import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Join } from './joinChunks.ts';

/** All but those that need the platform itself, or the YAML reader, in any case. */
const commands = [
  'add',
  'apply',
  'destroy',
  'dev',
  'drift',
  'explain',
  'graph',
  'init',
  'plan',
  'rules',
  'schema',
  'show',
  'status',
  'synth',
  'undo',
  'validate',
] as const;

/**
 * Modules that are loaded by name, and that belong in one file: whoever needs one needs most of the others' parts. What
 * a plan of a stack needs at all is in `commands` and `client`; rare and large things are loaded when they are needed.
 */
const groups = [
  {
    name: 'commands',
    modules: [
      'src/cli/conclude.ts',
      ...commands.map((command) => `src/cli/commands/${command}/run.ts`),
      ...['usageError', 'wrongCommandLine'].map((module) => `src/cli/line/${module}.ts`),
      'src/cli/answer/problemText.ts',
      'src/cli/reports/reported.ts',
      ...[
        'codequality/renderCodequality',
        'json/renderJson',
        'junit/renderJunit',
        'markdown/renderMarkdown',
        'sarif/renderSarif',
      ].map((module) => `src/report/${module}.ts`),
      'src/automation/stack/runStack.ts',
      'src/automation/profiles/profileStore.ts',
      'src/automation/files/readBytes.ts',
      ...['openGantry', 'undoPlan'].map((module) => `src/automation/api/${module}.ts`),
      ...['explainResource', 'listRecords', 'readDrift', 'readStatus'].map(
        (module) => `src/automation/reading/${module}.ts`,
      ),
      ...['nameWriters', 'rehearsePlanned'].map((module) => `src/automation/planning/${module}.ts`),
      'src/cli/savedPlan/apply.ts',
      ...['continueSaved', 'file'].map((module) => `src/automation/savedPlan/${module}.ts`),
      'src/automation/applying/verifyFull.ts',
      ...[
        'makePlan',
        'replan',
        'consequences/selection',
        'explain/explainChange',
        'order/stackOrder',
        'reading/unfinishedReplacements',
      ].map((module) => `src/plan/${module}.ts`),
      'src/apply/runApply.ts',
    ],
  },
  {
    name: 'records',
    modules: [
      'src/cli/client/runCommand.ts',
      ...[
        'audit',
        'bindings',
        'completion',
        'create',
        'cron',
        'get',
        'keys',
        'locations',
        'members',
        'profiles',
        'remove',
        'rest',
        'secrets',
        'tasks',
        'volumes',
        'workloads',
        'write',
      ].map((module) => `src/cli/client/run/${module}.ts`),
      'src/cli/completion/liveNames.ts',
    ],
  },
  {
    name: 'client',
    modules: ['absence', 'auditTrail', 'client', 'fetchSnapshot', 'firstReads', 'trailsOfNames'].map(
      (module) => `src/client/${module}.ts`,
    ),
  },
  {
    name: 'server',
    modules: [
      'src/server/start.ts',
      'src/cli/commands/serve/run.ts',
      ...['loadRecords', 'rehearse', 'savedState', 'stage'].map((module) => `src/rehearsal/${module}.ts`),
    ],
  },
  {
    name: 'yaml',
    modules: [
      'src/automation/files/dataFile.ts',
      'src/automation/inputs/readFiles.ts',
      'src/manifest/text/parseManifestText.ts',
      'src/dialect/readDialect.ts',
    ],
  },
  {
    name: 'provider-validate',
    modules: ['configure', 'state', 'validate'].map((call) => `src/provider/services/${call}.ts`),
  },
  {
    name: 'provider-live',
    modules: ['applyChange', 'planChange', 'readDataSource', 'readResource'].map(
      (call) => `src/provider/services/${call}.ts`,
    ),
  },
  {
    name: 'documents',
    modules: [
      ...['adoption', 'drift', 'explanation', 'plan', 'status', 'validation'].map(
        (name) => `src/plan/documents/${name}Document.ts`,
      ),
      'src/plan/saved/savedForm.ts',
      ...['synth', 'plan', 'dev', 'graph', 'rules', 'serve', 'init', 'add', 'terraform'].map(
        (command) => `src/cli/commands/${command}/schema.ts`,
      ),
      'src/schema/published/errorSchema.ts',
    ],
  },
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

/** What is loaded together in most runs, in the order in which it is loaded: a later one has what no earlier one has. */
export const joins: readonly Join[] = [
  { name: 'start', roots: ['src/cli/start.ts'] },
  { name: 'errors', roots: ['src/automation.ts'] },
  { name: 'early', roots: ['src/automation/stack/early.ts'] },
  { name: 'line', roots: ['src/cli/run.ts'] },
  { name: 'kinds', roots: ['src/cli/client/parseClientLine.ts', 'src/cli/terminal/terminal.ts'] },
  { name: 'work', roots: ['group-commands:commands'] },
  { name: 'client', roots: ['group-client:client'] },
  { name: 'records', roots: ['group-records:records'] },
  { name: 'platform', roots: ['group-server:server'] },
  { name: 'yaml', roots: ['group-yaml:yaml'] },
];

/** The same of the provider. */
export const providerJoins: readonly Join[] = [
  { name: 'start', roots: ['src/provider/main.ts'] },
  { name: 'serve', roots: ['src/provider/serve.ts'] },
  { name: 'calls', roots: ['src/provider/services/makeHandlers.ts'] },
  { name: 'validate', roots: ['group-provider-validate:provider-validate'] },
  { name: 'live', roots: ['group-provider-live:provider-live', 'group-client:client'] },
  { name: 'platform', roots: ['group-server:server'] },
];

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
      return {
        contents: [
          `const all = () => process.getBuiltinModule('${path}');`,
          ...names.map((name) => `export const ${name} = ${read(`.${name}`)};`),
          `export default ${read('')};`,
        ].join('\n'),
      };
    });
  },
};

/** The list of public suffixes takes 5 ms, and only rules of domains ask it: it is evaluated at their first question. */
export const suffixesWhenAsked: Plugin = {
  name: 'suffixes-when-asked',
  setup(build) {
    build.onResolve({ filter: /^tldts$/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'when-asked' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'when-asked' }, () => ({
      contents: "export const getDomain = (...given) => require('tldts').getDomain(...given);",
      resolveDir: build.initialOptions.absWorkingDir ?? process.cwd(),
    }));
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
 * What Terraform starts. It is a script of the shell: what a file without a known extension is to Node depends on the
 * nearest `package.json`, and a mirror of providers may be in a project of any type. Terraform shows only standard output.
 */
export const providerExecutable = `#!/bin/sh
if ! command -v node >/dev/null; then
  echo 'The Gantry provider needs Node 22.19 or newer on the PATH, and there is no node'
  exit 1
fi
exec node "\${0%/*}/parts/start.cjs" "$@"
`;

/** What that starts, whatever Node the machine has. */
export const providerStart = `const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) import('./main.mjs');
else {
  console.log('The Gantry provider needs Node 22.19 or newer on the PATH, this is ' + process.versions.node);
  process.exitCode = 1;
}
`;
