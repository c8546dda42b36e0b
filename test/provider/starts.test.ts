import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { makeCertificate } from '../../src/provider/host/certificate.ts';

/** `GANTRY_STARTS=2000` finds a fault of one certificate in 400. */
const starts = Number(process.env['GANTRY_STARTS'] ?? 0);
const executable = new URL('../../dist/terraform-provider/terraform-provider-gantry', import.meta.url).pathname;
const cookie = { TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2' };

if (starts === 0)
  console.warn('skipped: thousands of starts of the provider take minutes; GANTRY_STARTS=2000 runs them');

function start(certificate: string): Promise<string> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...cookie };
    const child = spawn(executable, { env: { ...env, PLUGIN_CLIENT_CERT: certificate } });
    let text = '';
    child.stdout.on('data', (data) => {
      text += String(data);
      if (text.endsWith('\n')) child.kill('SIGTERM');
    });
    child.once('close', () => resolve(text));
  });
}

it.skipIf(starts === 0)(
  `starts ${starts} times, and each time prints its address`,
  async () => {
    const { certificate } = makeCertificate(new Date());
    const failed: string[] = [];
    for (let round = 0; round < starts; round += 1) {
      const line = await start(certificate);
      if (!/^1\|6\|unix\|[^|]+\|grpc\|[\w+/]+\n$/.test(line)) failed.push(line);
    }
    expect(failed).toEqual([]);
  },
  3_600_000,
);
