import { constants, type OpenMode, open } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { FileRefusal } from './fileRefusal.ts';
import { readStream } from './readStream.ts';

const longestSilenceMs = 120_000;

/** Reads a pipe to its end without a thread that blocks in the system, so Ctrl-C and an exit end it immediately. */
export async function readPipe(path: string, most: number, silenceMs = longestSilenceMs): Promise<Buffer> {
  const mode: OpenMode = constants.O_RDONLY | constants.O_NONBLOCK;
  const fd = await promisify(open)(path, mode);
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.setTimeout(silenceMs, () => {
    socket.destroy(new FileRefusal(`it is a pipe into which nothing was written for ${silenceMs / 1000} s`));
  });
  return readStream(socket, most);
}
