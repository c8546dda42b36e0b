import { isAbsolute, relative, resolve } from 'node:path';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';

/** The reason why a file is not used; the message contains nothing of its content. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
  /** The problems of the file with their positions; empty if it was not read. */
  readonly problems: readonly FileProblem[];

  constructor(message: string, problems: readonly FileProblem[] = []) {
    super(message);
    this.problems = problems;
  }
}

export interface FileProblem {
  readonly message: string;
  readonly position: { readonly line: number; readonly column: number };
}

/** The reason why the system refused a file, without its path and the system call. */
export function systemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'permission is denied';
    case 'EROFS':
      return 'the file system is read-only';
    case 'ENOSPC':
      return 'the disk is full';
    case 'ENOTDIR':
      return 'a part of its path is not a folder';
    case 'EEXIST':
      return 'it is a file';
    case 'EISDIR':
      return 'it is a folder';
    case 'ELOOP':
      return 'its links lead in a circle';
    case 'ENAMETOOLONG':
      return 'the name is too long';
    case 'ENXIO':
      return 'it is a socket, or a device that is not there';
    default:
      return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}

export function tooLarge(most: number): FileRefusal {
  return new FileRefusal(`it is larger than ${inBytes(most)}`);
}

/** `64 MiB`. */
export function inBytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.round(bytes / 2 ** 20)} MiB`;
}

/** The path to display: relative to the working folder, unless it is outside. */
export function displayPath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? resolve(cwd, path) : inside;
}

/** A problem of a whole file. */
export function inputProblem(file: string, rule: string, message: string, hint?: string): LocatedProblem {
  return fileProblem({ file, line: 1, column: 1 }, rule, message, hint);
}
