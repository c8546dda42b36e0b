import { readdirSync, readFileSync } from 'node:fs';

/** The usage of a process until its end; zeros if the system does not report it. */
export interface Used {
  /** The process itself, in seconds of a processor. */
  readonly itself: number;
  /** The processes that it started and waited for, such as the providers of Terraform. */
  readonly children: number;
  /** The peak memory of one of these, or of the process itself if it started none, in MB. */
  readonly memory: number;
}

const intervalMs = 20;
/** The unit of the counters in `/proc`, on every Linux. */
const ticksPerSecond = 100;

/** Watches a process; call the returned function when it has ended. Its last 20 ms may be missing. */
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

/** Started by any of its threads. */
function childrenOf(pid: number | undefined): readonly string[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '))
    .filter((child) => child !== '');
}

function memoryOf(pid: string): number {
  const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
