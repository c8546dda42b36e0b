import { setImmediate } from 'node:timers/promises';

/**
 * Nobody who reads, and a full disk, must not end a run in its middle: it goes on to its end. `gantry plan | head` is
 * no error; output that could not be written is told in one line, and the process does not end with 0.
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

  /** Ends the process when everything is written, with `code`, or with `lostCode` where something is not. */
  async end(code: number, lostCode: number): Promise<void> {
    await written(process.stdout);
    await setImmediate(); // failures are told after the present turn
    await written(process.stderr);
    await setImmediate();
    process.exit(this.#isLost ? lostCode : code);
  }
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}
