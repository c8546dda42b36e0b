import { setImmediate } from 'node:timers/promises';

/**
 * A closed pipe or a full disk must not interrupt a run. `gantry plan | head` is not an error; any other output error
 * is printed in one line, and the exit code is not 0.
 */
export class Output {
  #isLost = false;

  constructor() {
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (this.#isLost || error.code === 'EPIPE') return;
        this.#isLost = true;
        if (stream === process.stdout) process.stderr.write(`error output.lost: ${error.message}\n`);
      });
    }
  }

  /** Ends the process when everything is written, with `code`, or with `lostCode` if output was lost. */
  async end(code: number, lostCode: number): Promise<void> {
    await written(process.stdout);
    await setImmediate(); // failures are reported in the next turn
    await written(process.stderr);
    await setImmediate();
    process.exit(this.#isLost ? lostCode : code);
  }
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}
