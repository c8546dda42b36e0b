import { type ResolveFnOutput, registerHooks } from 'node:module';
import { inject } from 'vitest';
import { entries } from './entries.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Replacements by a project of vitest.config.ts for a package, or for each `/file.ts`: files from the root. */
    readonly inPlace: Readonly<Record<string, string>>;
  }
}

const root = new URL('../..', import.meta.url);
const sources = new URL('src/', root).href;
const ofProject = new Map(Object.entries(inject('inPlace') ?? {}));
/** Vitest adds one for each test file, which would be in the positions that constructs read from their stack. */
const queryOfTest = /(\.test\.ts)\?vitest=\d+$/;

const isWatching = process.env['VITEST_MODE'] === 'WATCH';

/**
 * An import of our own file by its path, or of Node, which needs no resolver. Vitest would report it to its main
 * process, which repeats tests while it watches, and again for each `import()` in a command.
 */
function known(specifier: string, parentURL: string | undefined): ResolveFnOutput | undefined {
  if (isWatching || parentURL?.startsWith(root.href) !== true || parentURL.includes('/node_modules/')) return undefined;
  if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin', shortCircuit: true };
  return /^\.\.?\/.*\.[jt]s$/.test(specifier)
    ? { url: new URL(specifier, parentURL).href, shortCircuit: true }
    : undefined;
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    const taken =
      ofProject.get(specifier) ??
      ofProject.get(/\/[^/]*$/.exec(specifier)?.[0] ?? '') ??
      // The sources resolve packages only to find the package that they are built into.
      (parentURL?.startsWith(sources) === true ? undefined : entries.get(specifier));
    const url = taken && new URL(taken, root).href;
    // A replacement may import the file that it replaces.
    if (url !== undefined && url !== parentURL) return { url, shortCircuit: true };
    const direct = known(specifier, parentURL);
    if (direct !== undefined) return direct;
    // Vitest resolves sources of packages, whose types Node does not strip.
    const built = conditions.filter((condition) => condition !== 'development');
    const found = next(specifier, { ...context, conditions: built });
    return { ...found, url: found.url.replace(queryOfTest, '$1') };
  },
});
