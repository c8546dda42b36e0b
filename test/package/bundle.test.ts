import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { linkPackages } from '../cli/projectFolder.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** The size of the bundle of a program, without white space, in kB; constructs are part of it. */
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

test('whoever takes units alone has nothing else in the bundle', async () => {
  const units = await bundledKb("import { Duration } from 'gantry'; console.log(Duration.days(1));");
  expect(units).toBeLessThan(6); // it was 90
});

test('matchers are not left out of a bundle, although nothing of the module is used', async () => {
  expect(await bundledKb("import 'gantry/testing/jest';")).toBeGreaterThan(100);
});
