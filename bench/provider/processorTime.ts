import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used until it ended; zeros where the system does not say. */
export interface Used {
  /** Of the process itself, in seconds of a processor. */
  readonly itself: number;
  /** Of the processes that it started and waited for, such as the providers of Terraform. */
  readonly children: number;
  /** The most that one of these had in memory, or it itself where it started none, in MB. */
  readonly memory: number;
}

const intervalMs = 20;
/** Of the counters in `/proc`, on every Linux. */
const ticksPerSecond = 100;

/** Watches a process; call the answer when it has ended. What it did in the last 20 ms may be missing. */
export function usedBy(pid: number | undefined): () => Used {
  let [itself, children, ownMemory, memoryOfChildren] = [0, 0, 0, 0];
  const timer = setInterval(() => {
    try {
      const counters = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
      const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = counters.slice(11, 15);
      itself = (user + system) / ticksPerSecond;
      children = (userOfChildren + systemOfChildren) / ticksPerSecond;
      ownMemory = Math.max(ownMemory, memoryOf(String(pid)));
      memoryOfChildren = Math.max(memoryOfChildren, ...childrenOf(pid).map(memoryOf));
    } catch {
      // it has ended
    }
  }, intervalMs);
  return () => {
    clearInterval(timer);
    return { itself, children, memory: memoryOfChildren === 0 ? ownMemory : memoryOfChildren };
  };
}

/** Whichever thread started them. */
function childrenOf(pid: number | undefined): readonly string[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '))
    .filter((child) => child !== '');
}

function memoryOf(pid: string): number {
  const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
