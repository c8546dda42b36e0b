/**
 * `npm run bench:types`: how long `tsc --noEmit` takes for a stack of forty resources with and without `skipLibCheck`,
 * with both compilers, with and without the types of Node. An empty program shows the share of the compiler's own
 * library and the types of Node. Runs alternate. It builds nothing: it checks against dist/types.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, measure, typical } from './process.ts';
import { times } from './table.ts';

const root = new URL('..', import.meta.url).pathname;
const rounds = 5;
/** For each service a workload and an identity, in addition to the GVC and the secret. */
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

writeFileSync(join(folder, 'empty.ts'), 'export {};\n');
const programs = [
  { file: 'stack.ts', skipLibCheck: true },
  { file: 'stack.ts', skipLibCheck: false },
  { file: 'empty.ts', skipLibCheck: true },
  { file: 'empty.ts', skipLibCheck: false },
] as const;
console.log(
  '| compiler | types of Node | with skipLibCheck, s | without, s | ratio | empty: with | without | ratio beyond it |',
);
console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |');
try {
  for (const compiler of ['typescript', 'typescript-5.9']) {
    for (const types of [[], ['node']]) {
      const runs: Measured[][] = programs.map(() => []);
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, program] of programs.entries()) runs[index]?.push(await check(compiler, types, program));
      }
      const [skipped = 0, whole = 0, emptySkipped = 0, emptyWhole = 0] = runs.map((each) => typical(each).wallSeconds);
      const cells = [
        ...[compiler, types.join() || 'no', skipped.toFixed(2), whole.toFixed(2), times(whole, skipped)],
        ...[emptySkipped.toFixed(2), emptyWhole.toFixed(2), times(whole - emptyWhole + emptySkipped, skipped)],
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

type Program = (typeof programs)[number];

/** Fails if the program does not compile. */
function check(compiler: string, types: readonly string[], { file, skipLibCheck }: Program): Promise<Measured> {
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['es2024'], module: 'nodenext', strict: true, noEmit: true },
    ...{ types, skipLibCheck },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [file] }));
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
  return measure(process.execPath, [tsc, '-p', folder], {}, folder);
}
