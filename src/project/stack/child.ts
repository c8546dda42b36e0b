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
 * Loads the stack's files with `import` or `export` as modules, even in a package of `"type": "commonjs"`, which `npm
 * init` writes and where Node would refuse them.
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
    return false; // Node reports the error
  }
}

/**
 * The process that runs a stack: reads its request from standard input, sends the declarations, and ends. Nothing of a
 * stack outlives it, and no effect on its process reaches Gantry's.
 */

/** Saved before user code can replace it. */
const endProcess = process.exit.bind(process);

const startReason = process.argv[2];
/** Computed before user code can change its inputs. */
const types = typesFolder(process.env);
if (startReason === early || startReason === edited) {
  // The slowest step before the first line of a stack.
  if (startReason === edited || types === undefined || !keepsTypes(types)) removeTypes('');
  await loadConstructs();
}
const text = readFileSync(0, 'utf8');
if (text === '') endProcess(0); // not needed after all

/** These may remain open, but most of them end soon. */
const shortLivedWork: ReadonlySet<string> = new Set(['Immediate', 'ProcessWrap', 'Timeout']);
/** Handles that only wait for others. */
const waitingHandles: ReadonlySet<string> = new Set([
  'FSEventWrap',
  'PipeServerWrap',
  'PipeWrap',
  'SignalWrap',
  'StatWatcher',
  'TCPServerWrap',
  'TTYWrap',
  'UDPWrap',
]);
/** All others are requests with an answer, which may create constructs. */
const requestDescriptions: Readonly<Record<string, string>> = {
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
  const { path, cwd, argv, gantry, includeFiles, kinds = {} } = request;
  for (const [name, facts] of Object.entries(kinds)) defineCustomKind(name, facts);
  const files = new Set<string>([path]);
  let ending = false;
  function end(result: Result): void {
    if (ending) return;
    ending = true; // errors in `exit` handlers no longer matter
    const reported = includeFiles ? [...files] : [];
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
  if (gantry !== undefined) resolveToGantry(gantry);
  else if (carriedNode() !== undefined) resolveToGantryIfMissing();
  try {
    if (types !== undefined) keepTypes(types);
    loadAsModules(path);
    noteFiles(files);
    const result = await stackDocuments(request);
    await setImmediate(); // unhandled rejections are reported after this turn
    end(result);
  } catch (error) {
    fail(error);
  }
}

/** Most stacks use the package that contains this program. Errors are reported when a stack imports it. */
async function loadConstructs(): Promise<void> {
  await import(new URL('./index.js', import.meta.url).href).catch(() => undefined);
}

/** Makes writes synchronous, because the process ends without waiting for buffered output. */
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

/** Resolves both packages to Gantry's: its classes extend those of its own `constructs`. */
function resolveToGantry(gantry: string): void {
  const isOfGantry = (specifier: string) => /^(?:gantry|constructs)(?:\/|$)/.test(specifier);
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'gantry'
        ? { url: gantry, shortCircuit: true }
        : next(specifier, isOfGantry(specifier) ? { ...context, parentURL: gantry } : context),
  });
}

/** Resolves both packages from Gantry where they are missing: users of the executable may have no npm. */
function resolveToGantryIfMissing(): void {
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

/** Collects the stack's own files, not those of packages. */
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
 * Runs a stack file with Node's own type stripping, and returns the manifests of the default export (an app, a stack,
 * manifests, or a function that returns one of these, or a promise of it), else of the app that the file created.
 * Throws any error of the file.
 */
async function stackDocuments({
  path,
  cwd,
  environment,
  values = {},
}: Pick<StackRequest, 'path' | 'cwd' | 'environment' | 'values'>): Promise<Result> {
  const createdRoots: unknown[] = [];
  collectMistakes();
  Reflect.set(globalThis, appCollector, createdRoots);
  const environmentRequest = { name: environment, values, wanted: false };
  Reflect.set(globalThis, environmentAsked, environmentRequest);
  const before = activeWork();
  const loaded: unknown = await import(pathToFileURL(path).href);
  let exported = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
  exported = await (typeof exported === 'function' ? exported() : exported);
  if (isEmptyModule(exported)) exported = undefined;

  const file = displayPath(path, cwd);
  const pendingRequests = await pendingRequestsSince(before);
  if (pendingRequests.length > 0) {
    const what = `the stack does not wait for work that it began: ${pendingRequests.join(', ')}`;
    const hint =
      'Wait for it: `await main()` at the top level of the file. End connections and worker threads that nobody uses.';
    return {
      ...failed([inputProblem(file, 'stack.pending', what, hint)]),
      wantsEnvironment: environmentRequest.wanted,
    };
  }
  const apps = createdRoots.filter((root) => synthOf(root) !== undefined);
  const appsWithResources = apps.filter(holdsResources);
  const source = exported ?? (appsWithResources.length > 0 ? appsWithResources : apps.length > 0 ? apps : undefined);
  const wantsEnvironment = environmentRequest.wanted;
  const places = new FolderPlaces(cwd);
  const problemsOfTree = source === undefined ? [] : treeProblems(source, createdRoots);
  if (problemsOfTree.length > 0) {
    return { ...failed([...collectedMistakes(cwd), ...problemsOfTree.map(places.problem)]), wantsEnvironment };
  }

  const takenDocuments = source === undefined ? undefined : await takeDocuments(source, file);
  if (takenDocuments === undefined) {
    const hint = 'Export an App, a Stack, a list of manifests, or a function that returns one: `export default app`.';
    const what = source === undefined ? 'the stack file returns nothing' : 'the stack file exports no stack';
    return { ...failed([inputProblem(file, 'stack.nothing', what, hint)]), wantsEnvironment };
  }
  const stacks = stacksOf(source);
  // Empty lists are stacks that a program has computed; an App without a Stack is one whose code runs too late.
  if (!Array.isArray(exported) && [stacks, ...Object.values(takenDocuments)].every(({ length }) => length === 0)) {
    const hint =
      'Make a Stack in it before the file ends: `await main()`. A Stack without resources is an empty stack.';
    const problem = inputProblem(file, 'stack.nothing', 'the app of the stack file has no stack', hint);
    return { ...failed([...collectedMistakes(cwd), problem]), wantsEnvironment };
  }
  const problems = [...takenDocuments.problems, ...warningsOf(source)].map(places.problem);
  return {
    documents: takenDocuments.documents.map(places.document),
    problems: [...collectedMistakes(cwd), ...problems],
    stacks: stacks.map(({ name, position }) => ({ name, position: places.place(position) })),
    wantsEnvironment,
  };
}

interface TakenDocuments {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}

/** Records the problems of the tree, and still checks the rest of it. */
async function takeDocuments(source: unknown, file: string): Promise<TakenDocuments | undefined> {
  try {
    const documents = await documentsOf(source, file);
    return documents === undefined ? undefined : { documents, problems: [] };
  } catch (error) {
    const problems = problemsOfConstructs(error);
    if (problems.length === 0) throw error;
    return { documents: documentsOfFailure(error), problems };
  }
}

/** Undefined if it contains no manifests. */
async function documentsOf(source: unknown, file: string): Promise<readonly ManifestDocument[] | undefined> {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) {
    const parts: (readonly ManifestDocument[] | undefined)[] = [];
    for (const part of source) parts.push(await documentsOf(part, file));
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  const synth = synthOf(source);
  if (synth !== undefined) {
    // A stack includes its whole app, so that nothing is omitted.
    const documents: unknown = (synthOf(treeOf(source)) ?? synth)();
    return Array.isArray(documents) ? documents : undefined;
  }
  // A construct (recognised by `node`) is part of an app, not a manifest.
  if (!('kind' in source) || 'node' in source) return undefined;
  const place = { file, line: 1, column: 1 };
  // Imported on demand: most stacks are constructs and load it anyway, with the kinds.
  const { resolve } = await import('../../../constructs/resolve.ts');
  return [{ value: resolve([{ ...source }]).manifest, locate: () => place }];
}

/** Whether a CommonJS file assigned nothing to `module.exports`. */
function isEmptyModule(exported: unknown): boolean {
  if (typeof exported !== 'object' || exported === null) return false;
  return Object.getPrototypeOf(exported) === Object.prototype && Object.keys(exported).length === 0;
}

/** Active work of this process by type, as Node counts it, without `unref` handles. */
type Work = ReadonlyMap<string, number>;

function activeWork(): Work {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * Waits for work begun since then that the code does not await, such as `main()` without `await`: its resources would
 * be missing, and a plan would delete them. Returns the requests that do not end; timers, processes and handles that
 * only wait may stay open.
 */
async function pendingRequestsSince(before: Work): Promise<readonly string[]> {
  await setImmediate(); // lets work begin that starts at the end of the file, such as a server
  // Counts turns of this loop, because work stops too while the machine is suspended.
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const work = activeWork();
    const newTypes = [...work.keys()].filter((type) => (work.get(type) ?? 0) > (before.get(type) ?? 0));
    const requests = newTypes.filter((type) => !shortLivedWork.has(type) && !waitingHandles.has(type));
    if (waitedMs >= requestsMs) return [...new Set(requests.map((type) => requestDescriptions[type] ?? type))];
    const mayEndSoon = waitedMs < passingMs && newTypes.some((type) => shortLivedWork.has(type));
    if (requests.length === 0 && !mayEndSoon) return [];
    await delay(pauseMs);
  }
}
