/**
 * Writes a short text to standard output without the streams of Node, which take 2 ms to load. Returns the exit code:
 * 0, even if there is no reader; 1 if the text is lost.
 */
export async function printAtOnce(text: string): Promise<0 | 1> {
  const { writeSync } = process.getBuiltinModule('node:fs');
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
      if (code === 'EPIPE' || code === 'EOF') return 0;
      if (code === 'EAGAIN') {
        await new Promise((resolve) => process.stdout.write(rest, resolve)); // waits for a slow reader
        return 0;
      }
      process.stderr.write(`error output.lost: ${message}\n`);
      return 1;
    }
  }
  return 0;
}
