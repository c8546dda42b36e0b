/** A platform in a process of its own: its options are the argument; sends `{url}` when ready, ends with its parent. */
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
flushCompileCache(); // a killed process would not leave what it compiled to the next one
