/** A platform in a process of its own: its options are the argument; sends `{url}` when ready, ends with its parent. */
import { flushCompileCache } from 'node:module';
import type { ServerOptions } from '../../../src/server/options.ts';
import { startServer } from '../../../src/server/start.ts';

process.on('disconnect', () => process.exit(0));
const { aheadMs, ...options }: ServerOptions & { readonly aheadMs?: number } = JSON.parse(process.argv[2] ?? '{}');
const server = await startServer({ ...options, port: 0, now: () => Date.now() + (aheadMs ?? 0) });
process.send?.({ url: server.url });
flushCompileCache(); // a killed process would not leave what it compiled to the next one
