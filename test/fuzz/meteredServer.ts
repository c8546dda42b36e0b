/**
 * A platform in memory in another process, which measures how long its thread works without serving other requests.
 * Sends `{url}` when ready; on every message `{longestMs}`, the most CPU time of this thread between two turns of the
 * event loop since the last message. Time in which the machine ran other threads does not count.
 */
import { startServer } from '../../src/server/start.ts';

process.on('disconnect', () => process.exit(0));
const options = JSON.parse(process.argv[2] ?? '{}');
const { url } = await startServer({ ...options, port: 0 });

let before = cpuMs();
let longestMs = 0;
setInterval(note, 1);
process.on('message', () => {
  note();
  process.send?.({ longestMs });
  longestMs = 0;
});
process.send?.({ url });

function note(): void {
  const now = cpuMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
