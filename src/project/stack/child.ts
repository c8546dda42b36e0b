import { readFileSync, writeSync } from 'node:fs';
import module from 'node:module';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { appCollector } from '../../../constructs/appCollector.ts';
import { environmentAsked } from '../../../constructs/environments.ts';
import { memberOf } from '../../base/thrown.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../manifest/model/manifest.ts';
import { defineCustomKind } from '../../schema/record/customKinds.ts';
import { carriedNode } from '../files/carriedNode.ts';
import { displayPath, inputProblem } from '../files/fileRefusal.ts';
import { linesOf, type StackOutcome } from './handOver.ts';
import { keepsTypes, keepTypes, removeTypes, typesFolder } from './removedTypes.ts';
import { early, edited, handOverDescriptor, type StackRequest } from './request.ts';
import {
  collectedMistakes,
  collectMistakes,
  documentsOfFailure,
  FolderPlaces,
  problemsOfConstructs,
  stackExit,
  stackFailure,
} from './stackFailure.ts';
import { holdsResources, stacksOf, synthOf, treeOf, treeProblems, warningsOf } from './trees.ts';

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

const when = process.argv[2];
/** Before user code can change what it is made from. */
const types = typesFolder(process.env);
if (when === early || when === edited) {
  // It takes longest of all that comes before the first line of a stack.
  if (when === edited || types === undefined || !keepsTypes(types)) removeTypes('');
  await loadConstructs();
}
const text = readFileSync(0, 'utf8');
if (text === '') endProcess(0); // it is not needed after all

/** May be left behind, but most of them end soon. */
const passing: ReadonlySet<string> = new Set(['Immediate', 'ProcessWrap', 'Timeout']);
/** Functions that only wait for others. */
const waiting: ReadonlySet<string> = new Set([
  'FSEventWrap',
  'PipeServerWrap',
  'PipeWrap',
  'SignalWrap',
  'StatWatcher',
  'TCPServerWrap',
  'TTYWrap',
  'UDPWrap',
]);
/** All else is a request that gets an answer: constructs may be made with it. */
const described: Readonly<Record<string, string>> = {
  CloseReq: 'a file is being read or written',
  FSReqCallback: 'a file is being read or written',
  FSReqPromise: 'a file is being read or written',
  GetAddrInfoReqWrap: 'a host name is being looked up',
  MessagePort: 'a worker thread is running, or a message channel is open',
  TCPConnectWrap: 'a connection is open',
  TCPSocketWrap: 'a connection is open',
};

const requestsMs = 5_000;
const passingMs = 500;
const pauseMs = 5;

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
      write({ ...failed(stackFailure(error, path, cwd, [...files])), files: reported });
    } finally {
      endProcess(0);
    }
  }
  function fail(error: unknown): void {
    end(failed([...collectedMistakes(cwd), ...stackFailure(error, path, cwd, [...files])]));
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
    if (types !== undefined) keepTypes(types);
    loadAsModules(path);
    noteFiles(files);
    const result = await stackDocuments(request);
    await setImmediate(); // rejections without a handler are told after the present turn
    end(result);
  } catch (error) {
    fail(error);
  }
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

/**
 * Runs a stack file, by Node's own type stripping, and takes its manifests: those of the default export (an app, a
 * stack, manifests, or a function that returns one of these, or a promise of it), else those of the app that the file
 * made. Throws whatever the file throws.
 */
async function stackDocuments({
  path,
  cwd,
  environment,
  values = {},
}: Pick<StackRequest, 'path' | 'cwd' | 'environment' | 'values'>): Promise<Result> {
  const made: unknown[] = [];
  collectMistakes();
  Reflect.set(globalThis, appCollector, made);
  const asked = { name: environment, values, wanted: false };
  Reflect.set(globalThis, environmentAsked, asked);
  const before = workUnderWay();
  const loaded: unknown = await import(pathToFileURL(path).href);
  let exported = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
  exported = await (typeof exported === 'function' ? exported() : exported);
  if (isEmptyModule(exported)) exported = undefined;

  const file = displayPath(path, cwd);
  const left = await leftUnderWay(before);
  if (left.length > 0) {
    const what = `the stack does not wait for work that it began: ${left.join(', ')}`;
    const hint =
      'Wait for it: `await main()` at the top level of the file. End connections and worker threads that nobody uses.';
    return { ...failed([inputProblem(file, 'stack.pending', what, hint)]), wantsEnvironment: asked.wanted };
  }
  const apps = made.filter((root) => synthOf(root) !== undefined);
  const filled = apps.filter(holdsResources);
  const source = exported ?? (filled.length > 0 ? filled : apps.length > 0 ? apps : undefined);
  const wantsEnvironment = asked.wanted;
  const places = new FolderPlaces(cwd);
  const wrong = source === undefined ? [] : treeProblems(source, made);
  if (wrong.length > 0) {
    return { ...failed([...collectedMistakes(cwd), ...wrong.map(places.problem)]), wantsEnvironment };
  }

  const taken = source === undefined ? undefined : await take(source, file);
  if (taken === undefined) {
    const hint = 'Export an App, a Stack, a list of manifests, or a function that returns one: `export default app`.';
    const what = source === undefined ? 'the stack file returns nothing' : 'the stack file exports no stack';
    return { ...failed([inputProblem(file, 'stack.nothing', what, hint)]), wantsEnvironment };
  }
  const stacks = stacksOf(source);
  const problems = [...taken.problems, ...warningsOf(source)].map(places.problem);
  return {
    documents: taken.documents.map(places.document),
    problems: [...collectedMistakes(cwd), ...problems],
    stacks: stacks.map(({ name, position }) => ({ name, position: places.place(position) })),
    wantsEnvironment,
  };
}

interface Taken {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}

/** With what is wrong with the tree, the rest of it is checked all the same. */
async function take(source: unknown, file: string): Promise<Taken | undefined> {
  try {
    const documents = await documentsOf(source, file);
    return documents === undefined ? undefined : { documents, problems: [] };
  } catch (error) {
    const problems = problemsOfConstructs(error);
    if (problems.length === 0) throw error;
    return { documents: documentsOfFailure(error), problems };
  }
}

/** Undefined: it is nothing that holds manifests. */
async function documentsOf(source: unknown, file: string): Promise<readonly ManifestDocument[] | undefined> {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) {
    const parts: (readonly ManifestDocument[] | undefined)[] = [];
    for (const part of source) parts.push(await documentsOf(part, file));
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  const synth = synthOf(source);
  if (synth !== undefined) {
    // A stack stands for its app: what was made beside it is not left out.
    const documents: unknown = (synthOf(treeOf(source)) ?? synth)();
    return Array.isArray(documents) ? documents : undefined;
  }
  // A construct is part of an app, not a manifest: `node` is what every construct has.
  if (!('kind' in source) || 'node' in source) return undefined;
  const place = { file, line: 1, column: 1 };
  // Most stacks are constructs: the kinds are there once, with these.
  const { resolve } = await import('../../../constructs/resolve.ts');
  return [{ value: resolve([{ ...source }]).manifest, locate: () => place }];
}

/** The export of a file of CommonJS that assigns nothing to `module.exports`. */
function isEmptyModule(exported: unknown): boolean {
  if (typeof exported !== 'object' || exported === null) return false;
  return Object.getPrototypeOf(exported) === Object.prototype && Object.keys(exported).length === 0;
}

/** Work of this process by its type, as Node counts it; what is not waited for (`unref`) is not in it. */
type Work = ReadonlyMap<string, number>;

function workUnderWay(): Work {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * Waits for work that was begun since, and that nobody waits for: `main()` without `await`. What it makes would be
 * missing from the stack, and a plan would delete it. Returns what does not end; timers and processes may go on.
 */
async function leftUnderWay(before: Work): Promise<readonly string[]> {
  await setImmediate(); // what comes with the end of the file, such as a server that listens now
  // By turns of this loop: while the machine stands still, the work does too.
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const work = workUnderWay();
    const begun = [...work.keys()].filter((type) => (work.get(type) ?? 0) > (before.get(type) ?? 0));
    const requests = begun.filter((type) => !passing.has(type) && !waiting.has(type));
    if (waitedMs >= requestsMs) return [...new Set(requests.map((type) => described[type] ?? type))];
    const mayPass = waitedMs < passingMs && begun.some((type) => passing.has(type));
    if (requests.length === 0 && !mayPass) return [];
    await delay(pauseMs);
  }
}
