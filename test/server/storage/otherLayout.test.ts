import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startServer } from '../../../src/server/start.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

function fileWithLayout(number: number): string {
  const path = join(temporaryFolder(`layout-${number}`), 'platform.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE records (name TEXT); PRAGMA user_version = ${number}`);
  database.close();
  return path;
}

test.each([
  {
    layout: 1,
    message:
      'the database has the layout 1, which a development version before Gantry 0.1.0 wrote; this version reads the layout 2',
    hint: /save GET \/-snapshot\?secrets=true, and load the file into a new database/,
  },
  {
    layout: 3,
    message: 'the database has the layout 3, which a newer version of Gantry wrote; this version reads the layout 2',
    hint: /^Use that version/,
  },
])('a file with the layout $layout is refused, naming the version that wrote it and a remedy', async (each) => {
  const data = fileWithLayout(each.layout);
  await expect(startServer({ port: 0, noAuth: true, data })).rejects.toMatchObject({
    code: 'server.data',
    message: each.message,
    hint: expect.stringMatching(each.hint),
  });
  const database = new DatabaseSync(data);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: each.layout });
  database.close();
});
