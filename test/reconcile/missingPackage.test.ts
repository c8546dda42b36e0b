import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';

const folder = temporaryFolder('reconcile-package');
const openStore = join(import.meta.dirname, '../../src/reconcile/store/openStore.ts');

/** The error of opening the store without a package, in another process. */
async function saidWithout(name: string, address: object): Promise<unknown> {
  const code = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(specifier, context, next) {
        return next(specifier === '${name}' ? 'gantry-not-installed' : specifier, context);
      },
    });
    const { openStore } = await import('${openStore}');
    const error = await openStore(${JSON.stringify(address)}, { tell: () => {} }).catch((error) => error);
    console.log(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  return JSON.parse(stdout);
}

test.each([
  ['@electric-sql/pglite', { kind: 'folder', folder }, '@electric-sql/pglite@0.5 pg-boss@12'],
  ['pg-boss', { kind: 'folder', folder }, '@electric-sql/pglite@0.5 pg-boss@12'],
  ['pg', { kind: 'postgres', url: 'postgres://127.0.0.1:1/none' }, 'pg@8 pg-boss@12'],
])(
  'without %s the error names the command that installs the package for this kind of store',
  async (name, address, packages) => {
    expect(await saidWithout(name, address)).toEqual({
      code: 'reconcile.package',
      message: `gantry reconcile needs packages that are not installed: ${packages}`,
      hint: `npm install ${packages}, with --global where Gantry is installed globally.`,
    });
  },
);
