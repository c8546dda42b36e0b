import { fileProblem, type LocatedProblem } from '../../manifest/locatedProblem.ts';

/** A problem of a file as such. */
export function inputProblem(file: string, rule: string, message: string, hint?: string): LocatedProblem {
  return fileProblem({ file, line: 1, column: 1 }, rule, message, hint);
}

/** Why the system refused a file, without its path and its call. */
export function systemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read';
    case 'EISDIR':
      return 'it is a folder';
    case 'ELOOP':
      return 'its links lead in a circle';
    case 'ENAMETOOLONG':
      return 'the name is too long';
    default:
      return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}
