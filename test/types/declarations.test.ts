import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from './compile.ts';
import { prelude } from './wrongPrograms.ts';

const types = new URL('../../dist/types/', import.meta.url).pathname;

/** The packages that a file of declarations imports, directly and through other files. */
function packagesOf(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const files = [entry];
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)) {
      const target = join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts'));
      if (!name.startsWith('.')) packages.add(name);
      else if (existsSync(target) && !files.includes(target)) files.push(target);
      else if (!existsSync(target)) packages.add(`missing: ${name}`);
    }
  }
  return packages;
}

// The types of a large package cost every user seconds, in the editor and without `skipLibCheck`.
const entries = ['index', 'testing', 'automation', 'policies'];
test.each(entries.map((name) => `src/${name}.d.ts`))('%s loads the types of no package except constructs', (entry) => {
  expect([...packagesOf(join(types, entry))]).toEqual(['constructs']);
});

test.each(['constructs', 'constructs-10.6', 'constructs-10.7'])(
  'the declarations are sound: a program compiles without skipLibCheck, with %s',
  async (constructs) => {
    const program = `${prelude}import { Construct } from 'constructs';
import { synth } from 'gantry/testing';
void synth(stack);
void new Gvc(new Construct(stack, 'component'), 'other').node.path;
`;
    expect((await compile(new Map([['one', program]]), { skipLibCheck: false, constructs })).get('one')).toBe('');
  },
);

test('messages of the compiler show the members of a document, not the readers behind its type', async () => {
  const program = `import type { Explanation } from 'gantry/automation';
declare const explanation: Explanation;
export const wrong: number = explanation.takesAlong;
`;
  const said = await compile(new Map([['one', program]]));
  expect(said.get('one')).toContain(
    "Type 'readonly { readonly id: string; readonly owner: string; }[]' is not assignable",
  );
});
