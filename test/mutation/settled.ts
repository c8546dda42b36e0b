/** So many turns of the event loop in which nothing is under way: then nothing will settle the promise. */
const idleTurns = 300;
/** So long a job of the thread pool may take (scrypt), which no list of resources names. */
const poolMs = 2_000;

const usual = countResources();

/** Waits for a promise, and throws when nothing is left that could settle it: no timer, no file, no other callback. */
export async function settled(result: unknown): Promise<void> {
  if (!(result instanceof Promise)) return;
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  result.then(end, end);
  for (let idle = 0; !isSettled; ) {
    await new Promise((resolve) => setImmediate(resolve));
    idle = isSomethingUnderWay() ? 0 : idle + 1;
    if (idle <= idleTurns) continue;
    await new Promise((resolve) => setTimeout(resolve, poolMs));
    if (!isSettled) throw new Error('Nothing is left that could settle its promise.');
  }
  await result;
}

function isSomethingUnderWay(): boolean {
  return [...countResources()].some(([type, count]) => count > (usual.get(type) ?? 0));
}

function countResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
