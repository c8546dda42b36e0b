import { type ChildProcess, fork } from 'node:child_process';

export interface PlatformProcess {
  readonly url: string;
  /** The number of requests answered so far. */
  requests(): Promise<number>;
  stop(): Promise<void>;
}

/** The embedded platform in a separate process, in memory; each answer is delayed by `latencyMs`. */
export async function startPlatform(latencyMs: number): Promise<PlatformProcess> {
  const child = fork(new URL('./platformServer.ts', import.meta.url).pathname, [String(latencyMs)]);
  const { url } = await nextMessage(child);
  return {
    url: String(url),
    async requests() {
      child.send('count');
      return Number((await nextMessage(child))['requests']);
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect();
      }),
  };
}

function nextMessage(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve) => child.once('message', (message) => resolve({ ...Object(message) })));
}
