/**
 * A client in a separate process that sends one cheap GET after another (argument: the URL of the record), so that its
 * waits are only those of the server. Sends `{ready: true}` once it is warm, and `{longestMs}` since the last message
 * on every message.
 */
import { Agent, get } from 'node:http';

const [url = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const warmUpRequests = 200;
let longestMs = 0;
let startedMs = performance.now();

process.on('disconnect', () => process.exit(0));
process.on('message', () => {
  // The running request counts with its wait so far.
  process.send?.({ longestMs: Math.max(longestMs, performance.now() - startedMs) });
  longestMs = 0;
});

for (let sent = 0; ; sent += 1) {
  startedMs = performance.now();
  await one();
  longestMs = Math.max(longestMs, performance.now() - startedMs);
  if (sent === warmUpRequests) process.send?.({ ready: true });
}

function one(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: 'Bearer bench' } }, (response) => {
      response.on('error', reject).on('end', resolve).resume();
    }).on('error', reject);
  });
}
