import { resolve } from 'node:path';
import type { ManifestDocument } from '../../manifest/document.ts';
import type { LocatedProblem } from '../../manifest/locatedProblem.ts';
import type { ParsedText } from '../../manifest/parsedText.ts';
import { findInput, type Input } from './findInputs.ts';

export interface Inputs {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
  /** `whole` only when every PATH is: then what is no longer declared is pruned (design 2). */
  readonly scope: 'whole' | 'partial';
}

export interface InputOptions {
  readonly cwd: string;
  /** Read for the PATH `-`. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
}

/** Reads all PATHs; without one, the current folder. Nothing is thrown for bad input: it becomes problems. */
export async function readInputs(paths: readonly string[], { cwd, stdin }: InputOptions): Promise<Inputs> {
  const named = [...new Set(paths.length === 0 ? ['.'] : paths)];
  const inputs = await Promise.all(named.map((path) => findInput(path, cwd)));
  const seen = new Set<string>();
  const parsed: ParsedText[] = [];
  for (const input of inputs) parsed.push(await read(input, seen, cwd, stdin));
  return {
    documents: parsed.flatMap(({ documents }) => documents),
    problems: parsed.flatMap(({ problems }) => problems),
    scope: inputs.every(isWhole) ? 'whole' : 'partial',
  };
}

function isWhole(input: Input): boolean {
  return input.type === 'stack' || (input.type === 'files' && input.whole);
}

/** `seen`: a file that several PATHs name is read once. */
async function read(input: Input, seen: Set<string>, cwd: string, stdin: InputOptions['stdin']): Promise<ParsedText> {
  switch (input.type) {
    case 'problem':
      return { documents: [], problems: [input.problem] };
    case 'stdin':
      return (await fileReader()).parseBytes(await bytesOf(stdin), '(standard input)', 'yaml');
    case 'stack':
      return once(input.path, seen) ? runStack(input.path, cwd) : { documents: [], problems: [] };
    case 'files':
      return (await fileReader()).readFiles(
        input.paths.filter((path) => once(path, seen)),
        cwd,
        input.named === true,
      );
  }
}

/** With the YAML reader: a stack alone needs none of it. */
function fileReader() {
  return import('./readFiles.ts');
}

/** Loaded only when there is a stack: plain manifests need none of it. */
async function runStack(path: string, cwd: string): Promise<ParsedText> {
  const { loadStack } = await import('./loadStack.ts');
  return loadStack(path, cwd);
}

function once(path: string, seen: Set<string>): boolean {
  const absolute = resolve(path);
  if (seen.has(absolute)) return false;
  seen.add(absolute);
  return true;
}

async function bytesOf(stream: InputOptions['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
