import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { linkPackages } from '../cli/projectFolder.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** The size of the bundle of a program, without white space, in kB, including constructs. */
async function bundledKb(code: string): Promise<number> {
  const folder = temporaryFolder('bundle');
  linkPackages(folder);
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  return (outputFiles[0]?.contents.length ?? 0) / 1000;
}

test('a program that imports only units has nothing else in its bundle', async () => {
  const units = await bundledKb("import { Duration } from 'gantry'; console.log(Duration.days(1));");
  expect(units).toBeLessThan(6); // It was 90.
});

test('a bundle keeps matchers, although the program uses no name of the module', async () => {
  expect(await bundledKb("import 'gantry/testing/jest';")).toBeGreaterThan(100);
});
