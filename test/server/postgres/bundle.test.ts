import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { sharedPostgres } from './startPostgres.ts';

const bundle = new URL('../../../dist/cli.js', import.meta.url).pathname;

test('the bundled command line contains the migrations, so that it serves from PostgreSQL', async () => {
  const postgres = await sharedPostgres();
  const args = ['serve', '--port', '0', '--data', ':memory:', '--token', 't', '--store', postgres.freshUrl()];
  const child = spawn(process.execPath, [bundle, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GANTRY_SECRET_KEY: 'shared by all servers' },
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', resolve);
      ended.then(() => reject(new Error(said)));
    });
    const answer = await fetch(`${url}/org/local/gvc`, {
      method: 'POST',
      headers: { authorization: 't' },
      body: JSON.stringify({ name: 'shop' }),
    });
    expect(answer.status).toBe(201);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});
