import { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { type Interruptible, uninterrupted } from '../session/interruptible.ts';
import { eachLine } from './eachLine.ts';
import { endWithProcess } from './endWithProcess.ts';
import { type Listeners, TakenOver } from './handOver.ts';
import { handOverDescriptor, type StackRequest } from './request.ts';
import type { StackProcess } from './stackProcess.ts';

/** How the process of a stack ended, and what it handed over until then. */
export interface Ended {
  readonly takenOver: TakenOver;
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it did not start. */
  readonly error: Error | undefined;
  readonly outOfMemory: boolean;
}

/** What `exit` handlers of a stack may take. */
const exitMs = 2_000;
/** For what is still to be read after the end, where a process that the stack started keeps the channels open. */
const outputMs = 200;
const channelMs = 5_000;
/** Characters of a line of output. */
const longestLine = 8_192;
/** From this line on the engine explains, over many lines, that there is no memory left. */
const engineDump = '<--- Last few GCs --->';

export interface StackRun extends Listeners {
  readonly request: StackRequest;
  /** For what the stack writes, line by line. */
  readonly tell: (line: string) => void;
  readonly interruptible?: Interruptible | undefined;
}

/** Gives a process its stack to run, and waits for its end. */
export async function carryOut(
  child: StackProcess,
  { request, tell, onDocuments, onKinds, interruptible = uninterrupted }: StackRun,
): Promise<Ended> {
  const interruption = interruptible(() => void child.kill('SIGKILL'));
  const release = endWithProcess(child);
  const takenOver = new TakenOver({ onDocuments, onKinds });
  let outOfMemory = false;
  let last: NodeJS.Timeout | undefined;

  const ended = new Promise<Pick<Ended, 'code' | 'signal' | 'error'>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, error: undefined }));
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const rests = [child.stdout, child.stderr].map((stream) =>
    eachLine(stream, longestLine, (line) => {
      outOfMemory ||= line === engineDump;
      if (!outOfMemory) tell(line);
    }),
  );
  const channel = child.stdio[handOverDescriptor];
  const handedOver = new Promise<void>((resolve) => {
    if (!(channel instanceof Readable)) return resolve();
    channel.once('close', resolve);
    eachLine(channel, Number.POSITIVE_INFINITY, (line) => {
      takenOver.take(line);
      if (!takenOver.whole) return;
      last ??= setTimeout(() => child.kill('SIGKILL'), exitMs);
      resolve();
    });
  });
  child.stdin.end(JSON.stringify(request));

  const how = await ended;
  clearTimeout(last);
  release();
  await interruption.end();
  if (how.error === undefined) {
    // The last turn reads what has come while this process stood still.
    const rest = Promise.all([delay(outputMs), Promise.race([handedOver, delay(channelMs)])]).then(() =>
      setImmediate(),
    );
    await Promise.race([closed, rest]);
  }
  for (const stream of child.stdio) stream?.destroy();
  for (const flush of rests) flush();
  return { takenOver, ...how, outOfMemory };
}
