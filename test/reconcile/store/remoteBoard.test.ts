import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { borrowBoard } from '../../../src/reconcile/store/remoteBoard.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

/** A folder whose worker has ended, while another program listens on its port. */
async function folderOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const folder = temporaryFolder('remote-board');
  writeFileSync(join(folder, 'worker.json'), JSON.stringify({ port, token: 'secret' }));
  return folder;
}

test.each([
  { it: 'the worker of another folder', status: 401, text: '{}' },
  { it: 'another program, which has no such page', status: 404, text: '{"message": "no"}' },
])('a folder is free if the port of its killed worker belongs to $it', async ({ status, text }) => {
  const folder = await folderOf((_, response) => void response.writeHead(status).end(text));
  expect(await borrowBoard(folder)).toBe(undefined);
});

test("a worker that ends during a command's request is reported", async () => {
  let asked = 0;
  const folder = await folderOf((request, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(200, { 'content-type': 'application/json' }).end('{"result": null}');
    else request.socket.destroy();
  });
  const board = await borrowBoard(folder);
  await expect(board?.list()).rejects.toMatchObject({ code: 'reconcile.store', hint: expect.stringMatching(/again/) });
});
