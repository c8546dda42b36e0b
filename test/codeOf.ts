/** The code of the error that a promise ends with; `no error` where it has none. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
}
