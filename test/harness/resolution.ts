import { registerHooks } from 'node:module';
import { inject } from 'vitest';
import { entries } from './entries.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What a project of vitest.config.ts takes in the place of a package, or of each `/file.ts`: files from the root. */
    readonly inPlace: Readonly<Record<string, string>>;
  }
}

const root = new URL('../..', import.meta.url);
const sources = new URL('src/', root).href;
const ofProject = new Map(Object.entries(inject('inPlace') ?? {}));
/** Vitest has one for each file that it runs, which would be in the positions that constructs take from their stack. */
const queryOfTest = /(\.test\.ts)\?vitest=\d+$/;

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    const path =
      ofProject.get(specifier) ??
      ofProject.get(/\/[^/]*$/.exec(specifier)?.[0] ?? '') ??
      // The sources ask only where the package is that they are built into.
      (parentURL?.startsWith(sources) === true ? undefined : entries.get(specifier));
    if (path !== undefined) return { url: new URL(path, root).href, shortCircuit: true };
    // Vitest asks for sources of packages, whose types Node does not strip.
    const built = conditions.filter((condition) => condition !== 'development');
    const found = next(specifier, { ...context, conditions: built });
    return { ...found, url: found.url.replace(queryOfTest, '$1') };
  },
});
