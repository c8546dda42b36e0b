import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

/**
 * The program of a headless Chromium: from the package that contains it, for Linux on x64, or from
 * GANTRY_TEST_CHROMIUM. It is unpacked once, beside the package. Undefined if there is none for this machine.
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
  // Two runs may unpack at the same time, so each moves a complete file into place.
  const part = join(folder, `chromium.${process.pid}`);
  try {
    await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(part, { mode: 0o700 }));
    await rename(part, program);
  } finally {
    await rm(part, { force: true });
  }
  return program;
}
