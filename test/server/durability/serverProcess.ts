/** A platform in its own process. The argument is its options. It sends `{url}` when ready, and ends with its parent. */
import { flushCompileCache } from 'node:module';
import type { ServerOptions } from '../../../src/server/options.ts';
import { startServer } from '../../../src/server/start.ts';

process.on('disconnect', () => process.exit(0));
interface Shifted extends ServerOptions {
  readonly aheadMs?: number;
  readonly machineAheadMs?: number;
}

const { aheadMs, machineAheadMs = 0, ...options }: Shifted = JSON.parse(process.argv[2] ?? '{}');
const trueTime = Date.now;
Date.now = () => trueTime() + machineAheadMs;
const now = aheadMs === undefined ? {} : { now: () => Date.now() + aheadMs };
const server = await startServer({ ...options, port: 0, ...now });
process.send?.({ url: server.url });
flushCompileCache(); // a killed process would not write its cache for the next one
