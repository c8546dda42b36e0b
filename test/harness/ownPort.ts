import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const rangeFile = '/proc/sys/net/ipv4/ip_local_port_range';
const lowest = 10_000;

/**
 * A free port that no other process gets by chance while its server is down: the system assigns ports for `listen(0)`
 * and for outgoing connections from a higher range.
 */
export async function ownPort(): Promise<number> {
  const [first] = existsSync(rangeFile) ? readFileSync(rangeFile, 'utf8').trim().split(/\s+/).map(Number) : [];
  const above = first === undefined || first <= lowest ? 32_768 : first;
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (above - lowest));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
