import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '../../base/json/json.ts';
import { withFieldPlaces } from '../../manifest/code/fieldPlaces.ts';
import type { ManifestDocument } from '../../manifest/model/document.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { type CustomKinds, defineCustomKinds } from '../../schema/record/customKinds.ts';
import { readCustomKinds } from '../../schema/shape/readCustomKind.ts';
import { displayPath } from '../files/displayPath.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { inputProblem } from '../files/inputProblem.ts';
import type { Surroundings } from '../session/session.ts';
import { carryOut, type Ended } from './carryOut.ts';
import { takeStackProcess } from './early.ts';
import type { StackOutcome } from './handOver.ts';

/** `tell`: for each line that the stack writes, and for what is to be said about it. */
export interface RunStackOptions
  extends Pick<Surroundings, 'cwd' | 'environment' | 'tell' | 'interruptible' | 'stackProcess'> {
  /** The stack runs from here on: there is time for other things. */
  readonly onStart?: (() => void) | undefined;
  /** For what the stack has handed over so far; its places are not those of the fields yet. */
  readonly onDocuments?: ((documents: readonly ManifestDocument[]) => void) | undefined;
  /** What `--env` says. */
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
 * What a stack file declares. It runs in a process of its own, which has ended when this returns. What it writes is
 * told as the stack's. What it throws, and an end before it has handed over, are problems.
 */
export async function runStack(path: string, options: RunStackOptions): Promise<StackOutcome> {
  const { cwd, environment, tell, interruptible, onStart, onDocuments, gantry, env, values, tellFiles, kinds } =
    options;
  const { argv, nodeOptions } = options.stackProcess ?? { argv: [process.execPath, path], nodeOptions: [] };
  const file = displayPath(path, cwd);
  const request = {
    path,
    cwd,
    argv,
    ...(env === undefined ? {} : { environment: env }),
    ...(values === undefined ? {} : { values }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(tellFiles === true ? { tellFiles } : {}),
    ...(gantry === undefined ? {} : { gantry }),
  };
  const stillRunning = `${file} is still running after ${longMs / 1000} s; Ctrl-C ends it`;
  const long = setTimeout(() => void tell({ type: 'note', text: stillRunning }), longMs);
  try {
    const running = carryOut(takeStackProcess({ cwd, environment, nodeOptions }), {
      request,
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
    const found = problems.length > 0 ? problems : [untimely(ended, file)];
    return { documents: [], problems: found, stacks: [], wantsEnvironment: true, files };
  } finally {
    clearTimeout(long);
  }
}

/** From now on this process knows them too: it checks, plans, and serves what the stack declares. What is none defines nothing. */
function defineHandedOver(kinds: JsonObject): void {
  const read = readCustomKinds(kinds);
  if (read.ok) defineCustomKinds(read.kinds);
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
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const message = `the process of the stack ended ${how}, before the stack had run to its end`;
  return inputProblem(file, 'stack.ended', message, 'Throw an error, or let the stack run to its end.');
}
