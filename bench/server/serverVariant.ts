/**
 * One server of `npm run bench:server` in a separate process. `gantry`: the platform, on the file or `postgres://…` of
 * the second argument. `floor`: bare `node:http` on `node:sqlite` with the same group commit; it checks nothing, knows
 * no org, and returns the stored text. Sends `{url}` when ready and `{residentMiB, cpuMs}` on every message.
 */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { startServer } from '../../src/server/start.ts';
import { GroupCommit } from '../../src/server/store/model/groupCommit.ts';

const [role = '', place = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit(0));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ residentMiB: process.memoryUsage.rss() / 2 ** 20, cpuMs: (user + system) / 1000 });
});

if (role === 'floor') serveFloor(place);
else {
  const where = place.startsWith('postgres:') ? { store: place } : { data: place };
  const nobody = 'nobody@example.com';
  const tokens = [{ token: 'nobody-at-all', principal: `//user/${nobody}` }];
  const { url } = await startServer({ port: 0, token: 'bench', org: 'local', users: [nobody], tokens, ...where });
  process.send?.({ url });
}

function serveFloor(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE records (path TEXT PRIMARY KEY, record TEXT NOT NULL)');
  const upsert = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?)');
  const one = database.prepare('SELECT record FROM records WHERE path = ?');
  const page = database.prepare('SELECT path, record FROM records WHERE path > ? ORDER BY path LIMIT ?');
  const group = new GroupCommit(database, { changes: 0, begun() {}, undone() {} });

  function read(address: string): string {
    const { pathname, searchParams } = new URL(address, 'http://floor');
    const limit = searchParams.get('limit');
    if (limit === null) return String(one.get(pathname)?.['record'] ?? '{}');
    const rows = page.all(searchParams.get('next') ?? `${pathname}/`, Number(limit));
    const last = rows.length < Number(limit) ? undefined : rows.at(-1);
    const links =
      last === undefined ? [] : [{ rel: 'next', href: `${pathname}?limit=${limit}&next=${String(last['path'])}` }];
    return `{"items":[${rows.map(({ record }) => record).join(',')}],"links":${JSON.stringify(links)}}`;
  }

  const server = createServer((incoming, outgoing) => {
    const address = incoming.url ?? '';
    if (incoming.method === 'GET') {
      outgoing.end(read(address));
      return;
    }
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const text = Buffer.concat(chunks).toString();
      await group.run(() => upsert.run(address, text));
      outgoing.end(text);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
  });
}
