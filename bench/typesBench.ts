/**
 * `npm run bench:types`: how long `tsc --noEmit` takes for a stack of forty resources with and without `skipLibCheck`, with
 * both compilers, with and without the types of Node. Runs alternate. It builds nothing: it checks against dist/types.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, measureNode, typical } from './process.ts';
import { times } from './table.ts';

const root = new URL('..', import.meta.url).pathname;
const rounds = 5;
/** One service each for a workload and an identity, beside the GVC and the secret. */
const services = 19;

const folder = mkdtempSync(join(tmpdir(), 'gantry-types-bench-'));
mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
for (const name of ['constructs', '@types/node', 'undici-types']) {
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
}
symlinkSync(root, join(folder, 'node_modules/gantry'));
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
writeFileSync(
  join(folder, 'stack.ts'),
  `import { App, Gvc, Identity, Secret, Stack, Workload } from 'gantry';
const stack = new Stack(new App(), 'shop');
const login = new Secret(stack, 'login', { type: 'userpass', data: { username: 'shop', password: 'secret' } });
const gvc = new Gvc(stack, 'shop');
${Array.from({ length: services }, (_, index) => service(index)).join('')}`,
);

function service(index: number): string {
  return `const identity${index} = new Identity(gvc, 'identity-${index}');
login.grantReveal(identity${index});
new Workload(gvc, 'web-${index}', {
  type: 'serverless',
  identity: identity${index},
  containers: [{ name: 'main', image: 'shop:1', ports: [{ number: 8080 }], env: { PASSWORD: login.key('password') } }],
});
`;
}

console.log('| compiler | types of Node | with skipLibCheck, s | without, s | ratio |');
console.log('| --- | --- | ---: | ---: | ---: |');
try {
  for (const compiler of ['typescript', 'typescript-5.9']) {
    for (const types of [[], ['node']]) {
      const runs: Record<'with' | 'without', Measured[]> = { with: [], without: [] };
      for (let round = 0; round < rounds; round += 1) {
        for (const which of ['with', 'without'] as const) runs[which].push(await check(compiler, types, which));
      }
      const [skipped, whole] = [typical(runs.with).wallSeconds, typical(runs.without).wallSeconds];
      const cells = [compiler, types.join() || 'no', skipped.toFixed(2), whole.toFixed(2), times(whole, skipped)];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Fails where the program does not compile. */
function check(compiler: string, types: readonly string[], which: 'with' | 'without'): Promise<Measured> {
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['es2024'], module: 'nodenext', strict: true, noEmit: true },
    ...{ types, skipLibCheck: which === 'with' },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['stack.ts'] }));
  return measureNode([join(root, 'node_modules', compiler, 'bin/tsc'), '-p', folder], {}, folder);
}
