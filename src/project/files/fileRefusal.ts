/** Why a file is not used; the message holds nothing of its content. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
  /** The problems of the file with their places; empty where it was not read. */
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

/** Why the system refused a file, without its path and its call. */
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
