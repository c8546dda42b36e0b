import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBelow } from '../harness/writeBelow.ts';

const root = new URL('../..', import.meta.url).pathname;

/**
 * The compiler's messages about each program, by its name: checked together, strictly, against the declarations of the
 * built package. A name that ends in `.ts` is the path of the program, which others can import.
 */
export async function compile(
  programs: ReadonlyMap<string, string>,
  { skipLibCheck = true, constructs = 'constructs' } = {},
): Promise<ReadonlyMap<string, string>> {
  const names = [...programs.keys()];
  const files = new Map(names.map((name, index) => [name.endsWith('.ts') ? name : `p${index}.ts`, name]));
  const texts = new Map([...files].map(([file, name]) => [file, programs.get(name) ?? '']));
  const folder = projectOf(texts, { skipLibCheck, constructs });
  try {
    const said = await output(folder);
    const found = new Map(names.map((name) => [name, '']));
    let current = '';
    for (const line of said.split('\n')) {
      const [, file = ''] = /^(\S+\.ts)\(\d/.exec(line) ?? [];
      current = files.get(file) ?? current;
      if (line.trim() !== '') found.set(current, `${found.get(current) ?? ''}${line}\n`);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A new folder with the files of a project that uses the built package. */
export function projectOf(
  texts: ReadonlyMap<string, string>,
  { skipLibCheck = true, constructs = 'constructs' } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-types-'));
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  if (constructs === 'constructs') symlinkSync(root, join(folder, 'node_modules/gantry'));
  else copyDeclarations(join(folder, 'node_modules/gantry'));
  symlinkSync(join(root, 'node_modules', constructs), join(folder, 'node_modules/constructs'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  for (const [file, text] of texts) writeBelow(folder, file, text);
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['es2024'], module: 'nodenext', types: ['node'], noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck },
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  return folder;
}

/** With a link, the compiler would find the packages of this repository. */
function copyDeclarations(to: string): void {
  for (const path of ['package.json', 'dist/types']) cpSync(join(root, path), join(to, path), { recursive: true });
}

function output(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder, maxBuffer: 1e8 }, (_, stdout) =>
      resolve(stdout),
    );
  });
}
