import { setTimeout as delay, setImmediate } from 'node:timers/promises';

/** What a program asked for and gets an answer to: constructs may be made with it. */
const answered: Readonly<Record<string, string>> = {
  FSReqCallback: 'a file is being read or written',
  FSReqPromise: 'a file is being read or written',
  GetAddrInfoReqWrap: 'a host name is being looked up',
  PipeConnectWrap: 'a connection is being opened',
  TCPConnectWrap: 'a connection is being opened',
  TCPSocketWrap: 'a connection is open',
  TLSSocketWrap: 'a connection is open',
};
/** These may be left behind, but most of them end soon. */
const passing = ['Immediate', 'ProcessWrap', 'Timeout'];

const answeredWithinMs = 5_000;
const passingWithinMs = 500;
const pauseMs = 5;

/** Work of this process by its type, as Node counts it; servers and what is not waited for (`unref`) are not in it. */
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
  const startedMs = performance.now();
  await setImmediate(); // what comes with the end of the file, such as a server that listens now
  for (;;) {
    const work = workUnderWay();
    const begun = [...work.keys()].filter((type) => (work.get(type) ?? 0) > (before.get(type) ?? 0));
    const waitedMs = performance.now() - startedMs;
    const asked = begun.filter((type) => type in answered);
    if (waitedMs >= answeredWithinMs) return [...new Set(asked.map((type) => answered[type] ?? type))];
    const mayPass = waitedMs < passingWithinMs && begun.some((type) => passing.includes(type));
    if (asked.length === 0 && !mayPass) return [];
    await delay(pauseMs);
  }
}
