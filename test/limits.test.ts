import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as schemaLimits from '../src/schema/facts/limits.ts';
import * as serverLimits from '../src/server/http/limits.ts';

const source = new URL('../src/', import.meta.url).pathname;

/** `file name`: a value that a source file imports from `file`, and uses in its code. */
const used: ReadonlySet<string> = new Set(
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => usedIn(file, readFileSync(join(source, file), 'utf8'))),
);

function usedIn(file: string, text: string): readonly string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const rest = new Set(code.replaceAll(/^import [\s\S]*?;$/gm, '').match(/\w+/g));
  return [...code.matchAll(/^import \{([^}]*)\} from '(\.[^']+)';$/gm)].flatMap(([, names = '', from = '']) => {
    const imported = names.split(',').map((name) => name.trim());
    return imported.filter((name) => rest.has(name)).map((name) => `${join(dirname(file), from)} ${name}`);
  });
}

const limits = [
  ...Object.entries(schemaLimits).map(([name, value]) => ({ file: 'schema/facts/limits.ts', name, value })),
  ...Object.entries(serverLimits).map(([name, value]) => ({ file: 'server/http/limits.ts', name, value })),
];

test.each(limits)('$name of $file is a value that code reads, not only a rule in words', ({ file, name, value }) => {
  expect(used).toContain(`${file} ${name}`);
  expect(typeof value).not.toBe('boolean');
});
