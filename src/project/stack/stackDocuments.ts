import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { appCollector } from '../../../constructs/appCollector.ts';
import { environmentAsked } from '../../../constructs/environments.ts';
import { resolve } from '../../../constructs/values/resolve.ts';
import type { ManifestDocument } from '../../manifest/model/document.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { displayPath } from '../files/displayPath.ts';
import { inputProblem } from '../files/inputProblem.ts';
import { FolderPlaces } from './folderPlaces.ts';
import type { StackOutcome } from './handOver.ts';
import type { StackRequest } from './request.ts';
import { collectedMistakes, collectMistakes, documentsOfFailure, problemsOfConstructs } from './stackFailure.ts';
import { holdsResources, stacksOf, synthOf, treeOf, treeProblems, warningsOf } from './trees.ts';

/**
 * Runs a stack file, by Node's own type stripping, and takes its manifests: those of the default export (an app, a
 * stack, manifests, or a function that returns one of these, or a promise of it), else those of the app that the file
 * made. Throws whatever the file throws.
 */
export async function stackDocuments({
  path,
  cwd,
  environment,
  values = {},
}: Pick<StackRequest, 'path' | 'cwd' | 'environment' | 'values'>): Promise<Omit<StackOutcome, 'files'>> {
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
    const problems = [inputProblem(file, 'stack.pending', what, hint)];
    return { documents: [], problems, stacks: [], wantsEnvironment: asked.wanted };
  }
  const apps = made.filter((root) => synthOf(root) !== undefined);
  const filled = apps.filter(holdsResources);
  const source = exported ?? (filled.length > 0 ? filled : apps.length > 0 ? apps : undefined);
  const wantsEnvironment = asked.wanted;
  const places = new FolderPlaces(cwd);
  const wrong = source === undefined ? [] : treeProblems(source, made);
  if (wrong.length > 0) {
    const problems = [...collectedMistakes(cwd), ...wrong.map(places.problem)];
    return { documents: [], problems, stacks: [], wantsEnvironment };
  }

  const taken = source === undefined ? undefined : take(source, file);
  if (taken === undefined) {
    const hint = 'Export an App, a Stack, a list of manifests, or a function that returns one: `export default app`.';
    const what = source === undefined ? 'the stack file returns nothing' : 'the stack file exports no stack';
    const problems = [inputProblem(file, 'stack.nothing', what, hint)];
    return { documents: [], problems, stacks: [], wantsEnvironment };
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
function take(source: unknown, file: string): Taken | undefined {
  try {
    const documents = documentsOf(source, file);
    return documents === undefined ? undefined : { documents, problems: [] };
  } catch (error) {
    const problems = problemsOfConstructs(error);
    if (problems.length === 0) throw error;
    return { documents: documentsOfFailure(error), problems };
  }
}

/** Undefined: it is nothing that holds manifests. */
function documentsOf(source: unknown, file: string): readonly ManifestDocument[] | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) {
    const parts = source.map((part) => documentsOf(part, file));
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
  return [{ value: resolve([{ ...source }]).manifest, locate: () => place }];
}

/** The export of a file of CommonJS that assigns nothing to `module.exports`. */
function isEmptyModule(exported: unknown): boolean {
  if (typeof exported !== 'object' || exported === null) return false;
  return Object.getPrototypeOf(exported) === Object.prototype && Object.keys(exported).length === 0;
}

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
