import { lstat } from 'node:fs/promises';

/** Is something there? A link that leads nowhere is, too. */
export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Does the error of the system say that nothing is there? */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** For `catch` on a promise: this value where the file or folder is missing; other errors go on. */
export function whenMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (isMissing(error)) return value;
    throw error;
  };
}
