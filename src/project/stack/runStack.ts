import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { At, tryRead } from '../../base/form/read.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { customKinds } from '../../kinds/readCustomKind.ts';
import { withFieldPlaces } from '../../manifest/fieldPlaces.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../manifest/model/manifest.ts';
import { type CustomKinds, defineCustomKinds } from '../../schema/record/customKinds.ts';
import { displayPath, inputProblem, systemReason } from '../files/fileRefusal.ts';
import { fileSizes } from '../files/sizes.ts';
import { type Bounds, type Excess, eachLine, excessText, longestLine, startBounds } from '../session/bounded.ts';
import type { Interruptible } from '../session/interruptible.ts';
import { endingText, type ProgramEnd, waitForExit } from '../session/runProgram.ts';
import type { StackBounds, StackProcessOptions, Surroundings } from '../session/session.ts';
import { takeStackProcess } from './early.ts';
import { type Listeners, ReceivedStack, type StackOutcome } from './handOver.ts';
import { handOverDescriptor, type StackRequest } from './request.ts';
import { type StackHost, type StackProcess, startStackProcess } from './stackProcess.ts';
import { stackProgram } from './stackProgram.ts';

/** The limit that a stack's process exceeded. */
type StackExcess = Exclude<Excess, 'output'>;

/** Limit of a stack's declarations. */
const mostHandedOver = fileSizes.allManifests;
/** Limit of reported output lines. */
const mostLines = 1_000;
const memoryCheckMs = 100;

/** Node's options that confine a stack. `gantry`: the URL of the package. */
function boundedOptions({ mostMegabytes, confinedTo }: StackBounds, gantry: string): readonly string[] {
  const heap = [`--max-old-space-size=${mostMegabytes}`];
  if (confinedTo === undefined) return heap;
  const [own, constructs] = [findPackageJSON(gantry) ?? gantry, findPackageJSON('constructs', gantry) ?? gantry];
  const folders = [
    confinedTo,
    ...[fileURLToPath(stackProgram()), fileURLToPath(gantry), constructs].map((file) => dirname(file)),
  ];
  const readable = new Set([...folders.map((folder) => `${folder}/`), own]);
  return [...heap, '--permission', ...[...readable].map((path) => `--allow-fs-read=${path}`)];
}

/** Measures resident memory, because buffers are not part of the engine's heap. */
function boundsOf(pid: number | undefined, { mostMs, mostMegabytes }: StackBounds): Bounds<StackExcess> {
  const checkMemory = async () => ((await residentMegabytes(pid)) > mostMegabytes ? 'memory' : undefined);
  return { mostMs, checkLimits: checkMemory, checkIntervalMs: memoryCheckMs };
}

/** 0 if unknown: only Linux has this file. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

function excessProblem(excess: StackExcess, file: string, { mostMs, mostMegabytes }: StackBounds): LocatedProblem {
  const most = { time: mostMs, memory: mostMegabytes, size: mostHandedOver }[excess];
  const hint = excess === 'time' ? 'Let it wait for nothing.' : 'Declare less.';
  return inputProblem(file, `stack.${excess}`, `the stack ${excessText[excess](most)}`, hint);
}

/** `tell`: for each output line of the stack, and for notes about it. */
export interface RunStackOptions
  extends Pick<Surroundings, 'cwd' | 'environment' | 'tell' | 'interruptible' | 'stackProcess'> {
  /** Called when the stack runs: there is time for other work. */
  readonly onStart?: (() => void) | undefined;
  /** Receives the documents sent so far, without the positions of fields. */
  readonly onDocuments?: ((documents: readonly ManifestDocument[]) => void) | undefined;
  /** The value of `--env`. */
  readonly env?: string | undefined;
  /** The values of that environment in `gantry.yaml`. */
  readonly values?: JsonObject | undefined;
  /** The custom kinds of `gantry.yaml`; those defined by the stack are registered in this process afterwards. */
  readonly kinds?: CustomKinds;
  /** Whether to return the files that it loads. */
  readonly includeFiles?: boolean;
  /** Replaces the package `gantry` if the stack has no `node_modules`. */
  readonly gantry?: string;
}

/** The time after which users get a message. */
const longMs = 5_000;

/**
 * The declarations of a stack file. It runs in its own process, which has ended when this returns. Its output is
 * reported as the stack's. An error, or an end before everything was sent, becomes a problem.
 */
export async function runStack(path: string, options: RunStackOptions): Promise<StackOutcome> {
  const { cwd, environment, tell, interruptible, onStart, onDocuments, env, values, includeFiles, kinds } = options;
  const { argv, nodeOptions, bounds }: StackProcessOptions = options.stackProcess ?? {
    argv: [process.execPath, path],
    nodeOptions: [],
  };
  const gantry = options.gantry ?? (bounds?.confinedTo === undefined ? undefined : import.meta.resolve('gantry'));
  const host = { cwd, environment, nodeOptions };
  const file = displayPath(path, cwd);
  const request = {
    path,
    cwd,
    argv,
    ...present({ environment: env, values, kinds }),
    ...(includeFiles === true ? { includeFiles } : {}),
    ...present({ gantry }),
  };
  const stillRunning = `${file} is still running after ${longMs / 1000} s; Ctrl-C ends it`;
  const longRunTimer = setTimeout(() => void tell({ type: 'note', text: stillRunning }), longMs);
  try {
    const child = bounds === undefined ? takeStackProcess(host) : startBounded(host, bounds, gantry);
    const running = exchangeWithStack(child, {
      request,
      bounds,
      tell: (line) => void tell({ type: 'output', file, line }),
      interruptible,
      onDocuments,
      onKinds: defineHandedOver,
    });
    onStart?.();
    const result = await running;
    const { documents, problems, stacks, wantsEnvironment, files, isComplete } = result.received;
    if (isComplete) {
      return {
        documents: withFieldPlaces(documents, (name) => readFileSync(resolve(cwd, name), 'utf8')),
        problems,
        stacks,
        wantsEnvironment,
        files,
      };
    }
    const excess =
      result.excess === undefined || bounds === undefined ? undefined : excessProblem(result.excess, file, bounds);
    const found = problems.length > 0 ? problems : [excess ?? earlyEndProblem(result, file)];
    return { documents: [], problems: found, stacks: [], wantsEnvironment: true, files };
  } finally {
    clearTimeout(longRunTimer);
  }
}

/** Never uses a process that started early, without limits. */
function startBounded(host: StackHost, bounds: StackBounds, gantry: string | undefined): StackProcess {
  const options = boundedOptions(bounds, gantry ?? import.meta.resolve('gantry'));
  return startStackProcess({ ...host, nodeOptions: [...host.nodeOptions, ...options] }, 'now');
}

/**
 * Also registers the kinds in this process, which checks, plans and serves the stack's resources. Ignores invalid ones.
 */
function defineHandedOver(kinds: JsonObject): void {
  const read = tryRead(() => customKinds.read(kinds, new At()));
  if ('value' in read) defineCustomKinds(read.value);
}

/** The problem of an end before everything was sent. */
function earlyEndProblem({ received, code, signal, error, outOfMemory }: StackEnd, file: string): LocatedProblem {
  if (error !== undefined) {
    const message = `the process for the stack cannot be started: ${systemReason(error)}`;
    return inputProblem(file, 'stack.start', message, 'Free memory or processes, and try again.');
  }
  if (received.isGarbled) {
    const message = 'the stack wrote into the channel on which it hands over its manifests';
    return inputProblem(file, 'stack.garbled', message, 'Leave file descriptor 3 alone.');
  }
  if (outOfMemory) {
    const hint = 'Declare less, or allow more: NODE_OPTIONS=--max-old-space-size=8192 (in MB).';
    return inputProblem(file, 'stack.memory', 'the stack ran out of memory', hint);
  }
  const message = `the process of the stack ${endingText({ code, signal })}, before the stack had run to its end`;
  return inputProblem(file, 'stack.ended', message, 'Throw an error, or let the stack run to its end.');
}

/** How the process of a stack ended, and its declarations until then. */
interface StackEnd extends ProgramEnd {
  readonly received: ReceivedStack;
  readonly outOfMemory: boolean;
  /** The exceeded limit. */
  readonly excess: StackExcess | undefined;
}

/** Limit for `exit` handlers of a stack. */
const exitMs = 2_000;
/** Limits for reading after the end, if a child process of the stack keeps the channels open. */
const outputMs = 200;
const channelMs = 5_000;
/** From this line on, the engine reports in many lines that memory is exhausted. */
const engineDump = '<--- Last few GCs --->';

interface StackRun extends Listeners {
  readonly request: StackRequest;
  /** Receives the stack's output line by line. */
  readonly tell: (line: string) => void;
  readonly interruptible?: Interruptible | undefined;
  readonly bounds?: StackBounds | undefined;
}

/** Sends a process its request, and waits for its end. */
async function exchangeWithStack(
  child: StackProcess,
  { request, tell, onDocuments, onKinds, bounds, interruptible }: StackRun,
): Promise<StackEnd> {
  const run = startBounds<StackExcess>(() => void child.kill('SIGKILL'), {
    ...(bounds === undefined ? {} : boundsOf(child.pid, bounds)),
    interruptible,
  });
  let [lines, handedOverLength] = [0, 0];
  const received = new ReceivedStack({ onDocuments, onKinds });
  let outOfMemory = false;
  let killTimer: NodeJS.Timeout | undefined;

  const ended = waitForExit(child);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const flushes = [child.stdout, child.stderr].map((stream) =>
    eachLine(stream, longestLine, (line) => {
      outOfMemory ||= line === engineDump;
      lines += 1;
      const isShown = bounds === undefined || lines <= mostLines;
      if (!outOfMemory && isShown) tell(line);
      if (lines === mostLines + 1 && !isShown) tell('(what it writes from here on is not shown)');
    }),
  );
  const channel = child.stdio[handOverDescriptor];
  const handedOver = new Promise<void>((resolve) => {
    if (!(channel instanceof Readable)) return resolve();
    channel.once('close', resolve);
    if (bounds !== undefined) {
      channel.on('data', (text: string) => {
        handedOverLength += text.length;
        if (handedOverLength > mostHandedOver) run.stop('size');
      });
    }
    eachLine(channel, Number.POSITIVE_INFINITY, (line) => {
      received.receiveLine(line);
      if (!received.isComplete) return;
      killTimer ??= setTimeout(() => child.kill('SIGKILL'), exitMs);
      resolve();
    });
  });
  child.stdin.end(JSON.stringify(request));

  const end = await ended;
  clearTimeout(killTimer);
  await run.end();
  if (end.error === undefined) {
    // The last turn reads data that arrived while this process was suspended.
    const rest = Promise.all([delay(outputMs), Promise.race([handedOver, delay(channelMs)])]).then(() =>
      setImmediate(),
    );
    await Promise.race([closed, rest]);
  }
  for (const stream of child.stdio) stream?.destroy();
  for (const flush of flushes) flush();
  const stopped = run.stopped();
  return { received, ...end, outOfMemory, excess: stopped === 'abort' ? undefined : stopped };
}
