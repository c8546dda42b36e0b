import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { inputProblem } from '../files/inputProblem.ts';
import { fileSizes } from '../files/sizes.ts';
import type { StackBounds } from '../session/session.ts';
import { stackProgram } from './stackProgram.ts';

/** Why the process of a stack was ended. */
export type Excess = 'time' | 'memory' | 'size';

/** Of what a stack hands over. */
export const mostHandedOver = fileSizes.allManifests;
/** Lines of output that are told. */
export const mostLines = 1_000;
const lookMs = 100;

/** The options of Node that hold a stack within its bounds. `gantry`: the address of the package. */
export function boundedOptions({ mostMegabytes, confinedTo }: StackBounds, gantry: string): readonly string[] {
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

/** Calls `exceeded` when the process takes too long, or too much memory: buffers do not count to the heap of the engine. */
export function watchBounds(
  pid: number | undefined,
  { mostMs, mostMegabytes }: StackBounds,
  exceeded: (excess: Excess) => void,
): Disposable {
  const deadline = setTimeout(() => exceeded('time'), mostMs);
  const look = setInterval(async () => {
    const used = await residentMegabytes(pid);
    if (used > mostMegabytes) exceeded('memory');
  }, lookMs);
  return {
    [Symbol.dispose]() {
      clearTimeout(deadline);
      clearInterval(look);
    },
  };
}

/** 0 where the system does not say it: only Linux has it in a file. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

export function excessProblem(excess: Excess, file: string, { mostMs, mostMegabytes }: StackBounds): LocatedProblem {
  switch (excess) {
    case 'time':
      return inputProblem(
        file,
        'stack.time',
        `the stack took more than ${mostMs / 1_000} s`,
        'Let it wait for nothing.',
      );
    case 'memory':
      return inputProblem(file, 'stack.memory', `the stack used more than ${mostMegabytes} MB`, 'Declare less.');
    case 'size':
      return inputProblem(
        file,
        'stack.size',
        `the stack declares more than ${mostHandedOver / 2 ** 20} MiB`,
        'Declare less.',
      );
  }
}
