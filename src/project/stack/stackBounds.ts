import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { inputProblem } from '../files/inputProblem.ts';
import { fileSizes } from '../files/sizes.ts';
import { type Bounds, type Excess, excessText } from '../process/bounded.ts';
import type { StackBounds } from '../session/session.ts';
import { stackProgram } from './stackProgram.ts';

/** Why the process of a stack was ended. */
export type StackExcess = Exclude<Excess, 'output'>;

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

/** Buffers do not count to the heap of the engine. */
export function passesBounds(pid: number | undefined, { mostMs, mostMegabytes }: StackBounds): Bounds<StackExcess> {
  const look = async () => ((await residentMegabytes(pid)) > mostMegabytes ? 'memory' : undefined);
  return { mostMs, look, lookMs };
}

/** 0 where the system does not say it: only Linux has it in a file. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

export function excessProblem(
  excess: StackExcess,
  file: string,
  { mostMs, mostMegabytes }: StackBounds,
): LocatedProblem {
  const most = { time: mostMs, memory: mostMegabytes, size: mostHandedOver }[excess];
  const hint = excess === 'time' ? 'Let it wait for nothing.' : 'Declare less.';
  return inputProblem(file, `stack.${excess}`, `the stack ${excessText[excess](most)}`, hint);
}
