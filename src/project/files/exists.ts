import { lstat } from 'node:fs/promises';

/** Whether the path exists; also true for a link with a missing target. */
export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether the system error means that the path does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** For `catch` on a promise: returns this value if the file or folder is missing; rethrows other errors. */
export function whenMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (isMissing(error)) return value;
    throw error;
  };
}
