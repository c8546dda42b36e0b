import { fileURLToPath } from 'node:url';
import { userFrame } from '../../../constructs/origin.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/locatedProblem.ts';
import type { Position } from '../../manifest/manifest.ts';
import { StackExit } from './contained.ts';
import { displayPath } from './displayPath.ts';

/** What a stack file threw, at the line of user code that threw it; without the stack trace. */
export function stackFailure(error: unknown, path: string, cwd: string): LocatedProblem {
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : '';
  const place = syntaxPlace(stack) ?? userFrame(framesOf(stack, error), isOurs) ?? { file: path, line: 1, column: 1 };
  const position = { ...place, file: displayPath(place.file, cwd) };
  return fileProblem(position, 'stack.throws', messageOf(error), hintOf(error));
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `the stack threw ${describe(error)}`;
  const [line = ''] = error.message.trim().split('\n');
  if (error instanceof StackExit) return line;
  return `${error.name}: ${line}`;
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : `a value of type ${typeof value}`;
}

function hintOf(error: unknown): string {
  if (error instanceof StackExit) return 'Throw an error, or let the stack run to its end.';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ERR_MODULE_NOT_FOUND':
      return 'Install the package, or correct the import (relative imports need their extension).';
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return 'TypeScript stacks need Node 22.19 or newer.';
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return 'Use TypeScript that only needs its types removed (no enums, no parameter properties).';
    default:
      return 'Correct the stack file.';
  }
}

/** A syntax error has no frame of its own: its stack begins with `file:///stack.ts:3`, or a bare path. */
function syntaxPlace(stack: string): Position | undefined {
  const [, place = '', line] = /^(file:\/\/\S+|\/\S+|[A-Za-z]:\\\S+):(\d+)$/m.exec(stack.split('\n', 1)[0] ?? '') ?? [];
  if (place === '') return undefined;
  return { file: place.startsWith('file:') ? fileURLToPath(place) : place, line: Number(line), column: 1 };
}

/** Without the message, which may look like a frame. */
function framesOf(stack: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
}

/** Errors that our own constructs throw are about the line that called them. */
const ourFolders = ((): readonly string[] => {
  const here = fileURLToPath(import.meta.url).replaceAll('\\', '/');
  const source = here.lastIndexOf('/src/cli/');
  if (source >= 0) return [`${here.slice(0, source)}/src/`, `${here.slice(0, source)}/constructs/`];
  return [`${here.slice(0, here.lastIndexOf('/dist/'))}/dist/`];
})();

function isOurs(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  return ourFolders.some((folder) => path.startsWith(folder));
}
