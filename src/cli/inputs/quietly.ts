/**
 * Runs user code while what it logs goes to standard error: standard output belongs to the command (`-o json`).
 */
export async function withoutStandardOutput<Result>(work: () => Promise<Result>): Promise<Result> {
  const { log, info, debug } = console;
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
  try {
    return await work();
  } finally {
    Object.assign(console, { log, info, debug });
  }
}
