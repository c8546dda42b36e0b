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
import { type Bounds, bounded, type Excess, eachLine, excessText, longestLine } from '../session/bounded.ts';
import type { Interruptible } from '../session/interruptible.ts';
import { endingText, endOf, type ProgramEnd } from '../session/runProgram.ts';
import type { StackBounds, StackProcessOptions, Surroundings } from '../session/session.ts';
import { takeStackProcess } from './early.ts';
import { type Listeners, type StackOutcome, TakenOver } from './handOver.ts';
import { handOverDescriptor, type StackRequest } from './request.ts';
import { type StackHost, type StackProcess, startStackProcess } from './stackProcess.ts';
import { stackProgram } from './stackProgram.ts';

/** Why the process of a stack was ended. */
type StackExcess = Exclude<Excess, 'output'>;

/** Of what a stack hands over. */
const mostHandedOver = fileSizes.allManifests;
/** Lines of output that are told. */
const mostLines = 1_000;
const lookMs = 100;

/** The options of Node that hold a stack within its bounds. `gantry`: the address of the package. */
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

/** Buffers do not count to the heap of the engine. */
function passesBounds(pid: number | undefined, { mostMs, mostMegabytes }: StackBounds): Bounds<StackExcess> {
  const look = async () => ((await residentMegabytes(pid)) > mostMegabytes ? 'memory' : undefined);
  return { mostMs, look, lookMs };
}

/** 0 where the system does not say it: only Linux has it in a file. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

function excessProblem(excess: StackExcess, file: string, { mostMs, mostMegabytes }: StackBounds): LocatedProblem {
  const most = { time: mostMs, memory: mostMegabytes, size: mostHandedOver }[excess];
  const hint = excess === 'time' ? 'Let it wait for nothing.' : 'Declare less.';
  return inputProblem(file, `stack.${excess}`, `the stack ${excessText[excess](most)}`, hint);
}

/** `tell`: for each line that the stack writes, and for what is to be said about it. */
export interface RunStackOptions
  extends Pick<Surroundings, 'cwd' | 'environment' | 'tell' | 'interruptible' | 'stackProcess'> {
  /** The stack runs from here on: there is time for other things. */
  readonly onStart?: (() => void) | undefined;
  /** For what the stack has handed over so far; its places are not those of the fields yet. */
  readonly onDocuments?: ((documents: readonly ManifestDocument[]) => void) | undefined;
  /** The value of `--env`. */
  readonly env?: string | undefined;
  /** Of that environment in `gantry.yaml`. */
  readonly values?: JsonObject | undefined;
  /** The custom kinds of `gantry.yaml`; those that the stack defines are known to this process afterwards. */
  readonly kinds?: CustomKinds;
  /** Whether the files that it loads are wanted. */
  readonly tellFiles?: boolean;
  /** Stands for the package `gantry`, where the stack lies beside no `node_modules`. */
  readonly gantry?: string;
}

/** When a person begins to wonder what is going on. */
const longMs = 5_000;

/**
 * The declarations of a stack file. It runs in a process of its own, which has ended when this returns. Its output is
 * told as the stack's. An error that it throws, and an end before it has handed over, are problems.
 */
export async function runStack(path: string, options: RunStackOptions): Promise<StackOutcome> {
  const { cwd, environment, tell, interruptible, onStart, onDocuments, env, values, tellFiles, kinds } = options;
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
    ...(tellFiles === true ? { tellFiles } : {}),
    ...present({ gantry }),
  };
  const stillRunning = `${file} is still running after ${longMs / 1000} s; Ctrl-C ends it`;
  const long = setTimeout(() => void tell({ type: 'note', text: stillRunning }), longMs);
  try {
    const child = bounds === undefined ? takeStackProcess(host) : startBounded(host, bounds, gantry);
    const running = carryOut(child, {
      request,
      bounds,
      tell: (line) => void tell({ type: 'output', file, line }),
      interruptible,
      onDocuments,
      onKinds: defineHandedOver,
    });
    onStart?.();
    const ended = await running;
    const { documents, problems, stacks, wantsEnvironment, files, whole } = ended.takenOver;
    if (whole) {
      return {
        documents: withFieldPlaces(documents, (name) => readFileSync(resolve(cwd, name), 'utf8')),
        problems,
        stacks,
        wantsEnvironment,
        files,
      };
    }
    const excess =
      ended.excess === undefined || bounds === undefined ? undefined : excessProblem(ended.excess, file, bounds);
    const found = problems.length > 0 ? problems : [excess ?? untimely(ended, file)];
    return { documents: [], problems: found, stacks: [], wantsEnvironment: true, files };
  } finally {
    clearTimeout(long);
  }
}

/** Never one that was started early, without bounds. */
function startBounded(host: StackHost, bounds: StackBounds, gantry: string | undefined): StackProcess {
  const options = boundedOptions(bounds, gantry ?? import.meta.resolve('gantry'));
  return startStackProcess({ ...host, nodeOptions: [...host.nodeOptions, ...options] }, 'now');
}

/** From now on this process knows them too: it checks, plans, and serves what the stack declares. What is none defines nothing. */
function defineHandedOver(kinds: JsonObject): void {
  const read = tryRead(() => customKinds.read(kinds, new At()));
  if ('value' in read) defineCustomKinds(read.value);
}

/** An end before everything was handed over. */
function untimely({ takenOver, code, signal, error, outOfMemory }: Ended, file: string): LocatedProblem {
  if (error !== undefined) {
    const message = `the process for the stack cannot be started: ${systemReason(error)}`;
    return inputProblem(file, 'stack.start', message, 'Free memory or processes, and try again.');
  }
  if (takenOver.garbled) {
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

/** How the process of a stack ended, and what it handed over until then. */
interface Ended extends ProgramEnd {
  readonly takenOver: TakenOver;
  readonly outOfMemory: boolean;
  /** Beyond which bound it was. */
  readonly excess: StackExcess | undefined;
}

/** The time that `exit` handlers of a stack may take. */
const exitMs = 2_000;
/** For what is still to be read after the end, where a process that the stack started keeps the channels open. */
const outputMs = 200;
const channelMs = 5_000;
/** From this line on the engine explains, over many lines, that there is no memory left. */
const engineDump = '<--- Last few GCs --->';

interface StackRun extends Listeners {
  readonly request: StackRequest;
  /** For what the stack writes, line by line. */
  readonly tell: (line: string) => void;
  readonly interruptible?: Interruptible | undefined;
  readonly bounds?: StackBounds | undefined;
}

/** Gives a process its stack to run, and waits for its end. */
async function carryOut(
  child: StackProcess,
  { request, tell, onDocuments, onKinds, bounds, interruptible }: StackRun,
): Promise<Ended> {
  const life = bounded<StackExcess>(() => void child.kill('SIGKILL'), {
    ...(bounds === undefined ? {} : passesBounds(child.pid, bounds)),
    interruptible,
  });
  let [lines, handed] = [0, 0];
  const takenOver = new TakenOver({ onDocuments, onKinds });
  let outOfMemory = false;
  let last: NodeJS.Timeout | undefined;

  const ended = endOf(child);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const rests = [child.stdout, child.stderr].map((stream) =>
    eachLine(stream, longestLine, (line) => {
      outOfMemory ||= line === engineDump;
      lines += 1;
      const isTold = bounds === undefined || lines <= mostLines;
      if (!outOfMemory && isTold) tell(line);
      if (lines === mostLines + 1 && !isTold) tell('(what it writes from here on is not shown)');
    }),
  );
  const channel = child.stdio[handOverDescriptor];
  const handedOver = new Promise<void>((resolve) => {
    if (!(channel instanceof Readable)) return resolve();
    channel.once('close', resolve);
    if (bounds !== undefined) {
      channel.on('data', (text: string) => {
        handed += text.length;
        if (handed > mostHandedOver) life.stop('size');
      });
    }
    eachLine(channel, Number.POSITIVE_INFINITY, (line) => {
      takenOver.take(line);
      if (!takenOver.whole) return;
      last ??= setTimeout(() => child.kill('SIGKILL'), exitMs);
      resolve();
    });
  });
  child.stdin.end(JSON.stringify(request));

  const how = await ended;
  clearTimeout(last);
  await life.end();
  if (how.error === undefined) {
    // The last turn reads what has come while this process stood still.
    const rest = Promise.all([delay(outputMs), Promise.race([handedOver, delay(channelMs)])]).then(() =>
      setImmediate(),
    );
    await Promise.race([closed, rest]);
  }
  for (const stream of child.stdio) stream?.destroy();
  for (const flush of rests) flush();
  const stopped = life.stopped();
  return { takenOver, ...how, outOfMemory, excess: stopped === 'abort' ? undefined : stopped };
}
