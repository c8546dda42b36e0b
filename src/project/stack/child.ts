import { readFileSync, writeSync } from 'node:fs';
import module from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { memberOf } from '../../base/thrown.ts';
import { defineCustomKind } from '../../schema/record/customKinds.ts';
import { carriedNode } from '../files/carriedNode.ts';
import { linesOf, type StackOutcome } from './handOver.ts';
import { early, handOverDescriptor, type StackRequest } from './request.ts';
import { stackDocuments } from './stackDocuments.ts';
import { collectedMistakes, stackExit, stackFailure } from './stackFailure.ts';

const asModule: Readonly<Record<string, string>> = { 'commonjs-typescript': 'module-typescript', commonjs: 'module' };
const importOrExport = /^(import|export)\b/m;

/**
 * Stacks are written with `import` and `export`. In a package of `"type": "commonjs"`, which `npm init` writes, Node
 * would refuse them: there the files of the stack that use these words are loaded as modules all the same.
 */
function loadAsModules(stack: string): void {
  if (!isCommonJs(stack)) return;
  module.registerHooks({
    load(url, context, next) {
      const format = asModule[context.format ?? ''];
      if (format === undefined || !url.startsWith('file:') || url.includes('/node_modules/')) return next(url, context);
      const isModule = importOrExport.test(readFileSync(fileURLToPath(url), 'utf8'));
      return next(url, isModule ? { ...context, format } : context);
    },
  });
}

function isCommonJs(file: string): boolean {
  const path = module.findPackageJSON(pathToFileURL(file));
  if (path === undefined) return false;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof content === 'object' && content !== null && 'type' in content && content.type === 'commonjs';
  } catch {
    return false; // Node says what is wrong with it
  }
}

/**
 * The process in which a stack runs: reads its request from standard input, hands over what the stack declares, and
 * ends. Nothing of a stack outlives that, and nothing that it does to its process reaches Gantry's.
 */

/** Before user code can put another one in its place. */
const endProcess = process.exit.bind(process);

if (process.argv[2] === early) {
  prepareForTypeScript();
  await loadConstructs();
}
const text = readFileSync(0, 'utf8');
if (text === '') endProcess(0); // it is not needed after all
await run(JSON.parse(text));

type Result = Omit<StackOutcome, 'files'>;

async function run(request: StackRequest): Promise<void> {
  const { path, cwd, argv, gantry, tellFiles, kinds = {} } = request;
  for (const [name, facts] of Object.entries(kinds)) defineCustomKind(name, facts);
  const files = new Set<string>([path]);
  let ending = false;
  function end(result: Result): void {
    if (ending) return;
    ending = true; // what handlers of `exit` throw is of no interest any more
    const reported = tellFiles ? [...files] : [];
    try {
      write({ ...result, files: reported });
    } catch (error) {
      write({ ...failed(stackFailure(error, path, cwd)), files: reported });
    } finally {
      endProcess(0);
    }
  }
  function fail(error: unknown): void {
    end(failed([...collectedMistakes(cwd), ...stackFailure(error, path, cwd)]));
  }
  process.exit = (code) => {
    end(failed([...collectedMistakes(cwd), stackExit(code, path, cwd)]));
    return endProcess(code);
  };
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
  process.on('beforeExit', () => fail(new Error('the stack awaits a promise that never settles')));
  withoutBuffer('stdout');
  withoutBuffer('stderr');
  process.argv = [...argv];
  if (gantry !== undefined) standIn(gantry);
  else if (carriedNode() !== undefined) standInWhereMissing();
  try {
    loadAsModules(path);
    if (tellFiles) noteFiles(files);
    const result = await stackDocuments(request);
    await setImmediate(); // rejections without a handler are told after the present turn
    end(result);
  } catch (error) {
    fail(error);
  }
}

/** Loads what removes types, which takes longest of all that comes before the first line of a stack. */
function prepareForTypeScript(): void {
  const { emitWarning } = process;
  process.emitWarning = () => undefined; // that it is experimental
  module.stripTypeScriptTypes?.('');
  process.emitWarning = emitWarning;
}

/** Most stacks use the package that this program is part of. What is wrong with it is told when one does. */
async function loadConstructs(): Promise<void> {
  await import(new URL('./index.js', import.meta.url).href).catch(() => undefined);
}

/** Written text is gone when `write` returns: the process ends without waiting for the rest. */
function withoutBuffer(name: 'stdout' | 'stderr'): void {
  const { get, ...property } = Object.getOwnPropertyDescriptor(process, name) ?? {};
  if (get === undefined) return;
  Object.defineProperty(process, name, {
    ...property,
    get() {
      const stream: unknown = Reflect.apply(get, process, []);
      const handle = memberOf(stream, '_handle');
      const setBlocking = memberOf(handle, 'setBlocking');
      if (typeof setBlocking === 'function') Reflect.apply(setBlocking, handle, [true]);
      return stream;
    },
  });
}

/** `constructs` is that of Gantry, too: its classes are those that Gantry's are made from. */
function standIn(gantry: string): void {
  const isOfGantry = (specifier: string) => /^(?:gantry|constructs)(?:\/|$)/.test(specifier);
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'gantry'
        ? { url: gantry, shortCircuit: true }
        : next(specifier, isOfGantry(specifier) ? { ...context, parentURL: gantry } : context),
  });
}

/** Whoever has the executable may have no npm to install what stacks use. */
function standInWhereMissing(): void {
  module.registerHooks({
    resolve(specifier, context, next) {
      if (!/^(gantry|constructs)(\/|$)/.test(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

/** Of the stack itself, not of the packages that it uses. */
function noteFiles(files: Set<string>): void {
  module.registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const { url } = resolved;
      if (url.startsWith('file:') && !url.includes('/node_modules/')) files.add(fileURLToPath(url));
      return resolved;
    },
  });
}

function failed(problems: Result['problems']): Result {
  return { documents: [], problems, stacks: [], wantsEnvironment: true };
}

function write(result: StackOutcome): void {
  for (const line of linesOf(result)) {
    const bytes = Buffer.from(line);
    for (let written = 0; written < bytes.length; ) written += writeSync(handOverDescriptor, bytes, written);
  }
}
