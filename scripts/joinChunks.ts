import { createHash } from 'node:crypto';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Metafile, type Plugin } from 'esbuild';
import { compact } from '../src/base/json/present.ts';

/** Chunks that are loaded together and become one file. */
export interface Join {
  readonly name: string;
  /**
   * The roots and all their imports, except those in an earlier join. In esbuild's names: the path of a module that is
   * an entry or loaded by name, or `group-<name>:<name>`.
   */
  readonly roots: readonly string[];
  /** Limits the members to chunks that this module imports too. */
  readonly sharedWith?: string;
}

type Options = BuildOptions & { readonly outdir: string; readonly absWorkingDir: string };
type Chunks = BuildResult<{ metafile: true; write: false }>;
type Output = Metafile['outputs'][string];

/** One file for several chunks. */
interface Joined {
  readonly file: string;
  readonly members: readonly string[];
}

/** Splits a build into chunks, for `joinChunks`. */
export function inMemory<Given extends Options>(options: Given, chunkNames: string) {
  return { ...options, banner: {}, chunkNames, splitting: true, metafile: true, write: false } as const;
}

/**
 * Writes the files of a build. esbuild makes a chunk for each set of lazily loaded modules that share something, so
 * their number grows with the program, and loading each file takes up to half a millisecond.
 */
export async function joinChunks(chunks: Chunks, joins: readonly Join[], options: Options): Promise<void> {
  const { absWorkingDir, outdir, outExtension } = options;
  const extension = outExtension?.['.js'] ?? '.js';
  const outputs = new Map(
    Object.entries(chunks.metafile.outputs).map(([path, output]) => [resolve(absWorkingDir, path), output]),
  );
  const entries = new Set(Object.keys(options.entryPoints ?? {}).map((name) => join(outdir, `${name}${extension}`)));
  const joined = joins.map(joinedFile(outputs, entries, absWorkingDir, extension));
  const alone = [...outputs.keys()].filter((file) => !joined.some(({ members }) => members.includes(file)));
  const files = [...alone, ...joined.map(({ file }) => file)];
  await build({
    ...options,
    plugins: [joining(joined, outputs, new Map(chunks.outputFiles.map(({ path, text }) => [path, text])))],
    entryPoints: files.map((file) => ({ in: file, out: relative(outdir, file.slice(0, -extension.length)) })),
  });
}

function joinedFile(
  outputs: ReadonlyMap<string, Output>,
  entries: ReadonlySet<string>,
  root: string,
  extension: string,
): (join: Join) => Joined {
  const seen = new Set<string>();
  function take(file: string, members: string[], isMember: (file: string) => boolean): void {
    if (seen.has(file)) return;
    if (isMember(file)) {
      seen.add(file);
      if (!entries.has(file)) members.push(file);
    }
    for (const imported of importsOf(file)) take(imported, members, isMember);
  }
  const importsOf = (file: string): readonly string[] =>
    (outputs.get(file)?.imports ?? []).flatMap(({ path, kind, external }) =>
      kind === 'import-statement' && external !== true ? [resolve(root, path)] : [],
    );
  function fileOf(module: string): string {
    const [file] = [...outputs].find(([, { entryPoint }]) => entryPoint === module) ?? [];
    if (file === undefined) throw new Error(`no chunk is ${module}: nothing loads it by name any more`);
    return file;
  }
  function allImports(file: string, found = new Set<string>()): ReadonlySet<string> {
    if (found.has(file)) return found;
    found.add(file);
    for (const imported of importsOf(file)) allImports(imported, found);
    return found;
  }
  return ({ name, roots, sharedWith }) => {
    const members: string[] = [];
    const shared = sharedWith === undefined ? undefined : allImports(fileOf(sharedWith));
    for (const module of roots) take(fileOf(module), members, (file) => shared?.has(file) !== false);
    const [first] = members.sort();
    if (first === undefined) throw new Error(`the join ${name} has nothing that the ones before it do not have`);
    const hash = createHash('sha256').update(members.map((file) => basename(file)).join());
    const id = hash.digest('hex').slice(0, 8).toUpperCase();
    return { file: join(dirname(first), `${name}-${id}${extension}`), members };
  };
}

/** Bundles the members of each join, and makes all other files import them from there. */
function joining(
  joined: readonly Joined[],
  outputs: ReadonlyMap<string, Output>,
  texts: ReadonlyMap<string, string>,
): Plugin {
  const homes = new Map(joined.flatMap((home) => home.members.map((member) => [member, home] as const)));
  const exportsOf = (member: string): readonly string[] => outputs.get(member)?.exports ?? [];
  // When V8 compiles a function, it looks up each undeclared name linearly in all exports and imports of the module: so
  // one function returns what other files need, instead of hundreds of exports.
  const handOver = (member: string): string => `handOver${homes.get(member)?.members.indexOf(member)}`;

  return {
    name: 'join-chunks',
    setup(build) {
      build.onResolve({ filter: /^/ }, ({ path, kind, importer, namespace }) => {
        if (kind === 'entry-point') return { path, namespace: texts.has(path) ? 'chunk' : 'joined' };
        const target = resolve(dirname(importer), path);
        const home = homes.get(target);
        if (!path.startsWith('.') || namespace === 'elsewhere' || home === undefined) return { path, external: true };
        const toHome = relativePath(dirname(importer), home.file);
        if (kind === 'dynamic-import') return { path: toHome, external: true };
        if (importer === home.file || homes.get(importer) === home) return { path: target, namespace: 'chunk' };
        // Two folders import it with two paths, so it is a module for each.
        return { path: target, namespace: 'elsewhere', suffix: `?${toHome}`, pluginData: toHome };
      });
      build.onLoad({ filter: /^/, namespace: 'chunk' }, ({ path }) => ({
        contents: texts.get(path) ?? '',
        resolveDir: dirname(path),
      }));
      build.onLoad({ filter: /^/, namespace: 'elsewhere' }, ({ path, pluginData: toHome }) => {
        const lines = exportsOf(path).map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`);
        const all = [
          `import { ${handOver(path)} } from '${toHome}';`,
          `const all = /* @__PURE__ */ ${handOver(path)}();`,
        ];
        return { contents: [...all, ...lines].join('\n'), resolveDir: dirname(path) };
      });
      build.onLoad({ filter: /^/, namespace: 'joined' }, ({ path }) => {
        const members = joined.find(({ file }) => file === path)?.members ?? [];
        const lines = members.map((member) => {
          const [names, from] = [exportsOf(member), `from './${basename(member)}';`];
          const whole = `whole${members.indexOf(member)}`;
          return compact([
            // A chunk that is loaded by name keeps its export names.
            outputs.get(member)?.entryPoint === undefined ? undefined : `export { ${names.join(', ')} } ${from}`,
            `import * as ${whole} ${from}`,
            `export const ${handOver(member)} = () => ({ ${names.map((name) => `${name}: ${whole}.${name}`).join(', ')} });`,
          ]).join('\n');
        });
        return { contents: lines.join('\n'), resolveDir: dirname(path) };
      });
    },
  };
}

function relativePath(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
