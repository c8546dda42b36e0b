/** The embedded platform in a process of its own: sends `{url}` when ready, and the request count on every message. */
import { startServer } from '../src/server/start.ts';

const latencyMs = Number(process.argv[2] ?? '0');
let requests = 0;

const server = await startServer({
  port: 0,
  data: ':memory:',
  token: 'bench',
  org: 'local',
  latencyMs,
  requestLog: () => {
    requests += 1;
  },
});
process.send?.({ url: server.url });
process.on('message', () => process.send?.({ requests }));
process.on('disconnect', () => void server.close().then(() => process.exit(0)));
