import { setTimeout as delay, setImmediate } from 'node:timers/promises';

/** May be left behind, but most of them end soon. */
const passing: ReadonlySet<string> = new Set(['Immediate', 'ProcessWrap', 'Timeout']);
/** What only waits for others. */
const waiting: ReadonlySet<string> = new Set([
  'FSEventWrap',
  'PipeServerWrap',
  'PipeWrap',
  'SignalWrap',
  'StatWatcher',
  'TCPServerWrap',
  'TTYWrap',
  'UDPWrap',
]);
/** All else is a request that gets an answer: constructs may be made with it. */
const described: Readonly<Record<string, string>> = {
  CloseReq: 'a file is being read or written',
  FSReqCallback: 'a file is being read or written',
  FSReqPromise: 'a file is being read or written',
  GetAddrInfoReqWrap: 'a host name is being looked up',
  MessagePort: 'a worker thread is running, or a message channel is open',
  TCPConnectWrap: 'a connection is open',
  TCPSocketWrap: 'a connection is open',
};

const requestsMs = 5_000;
const passingMs = 500;
const pauseMs = 5;

/** Work of this process by its type, as Node counts it; what is not waited for (`unref`) is not in it. */
export type Work = ReadonlyMap<string, number>;

export function workUnderWay(): Work {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * Waits for work that was begun since, and that nobody waits for: `main()` without `await`. What it makes would be
 * missing from the stack, and a plan would delete it. Returns what does not end; timers and processes may go on.
 */
export async function leftUnderWay(before: Work): Promise<readonly string[]> {
  await setImmediate(); // what comes with the end of the file, such as a server that listens now
  // By turns of this loop: while the machine stands still, the work does too.
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const work = workUnderWay();
    const begun = [...work.keys()].filter((type) => (work.get(type) ?? 0) > (before.get(type) ?? 0));
    const requests = begun.filter((type) => !passing.has(type) && !waiting.has(type));
    if (waitedMs >= requestsMs) return [...new Set(requests.map((type) => described[type] ?? type))];
    const mayPass = waitedMs < passingMs && begun.some((type) => passing.has(type));
    if (requests.length === 0 && !mayPass) return [];
    await delay(pauseMs);
  }
}
