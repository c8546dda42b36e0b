import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;

/** Vitest's global setup: the generated validators are there, and not older than what they are made from. */
export function setup(): void {
  const sources = [...filesBelow('src/schema').filter((path) => !isRule(path)), join(root, 'scripts/generate.ts')];
  const made = [...filesBelow('generated/validators'), ...filesBelow('generated/schemas')];
  const newestSource = Math.max(...sources.map(changedAt));
  if (made.length > 0 && Math.min(...made.map(changedAt)) >= newestSource) return;
  execFileSync(process.execPath, [join(root, 'scripts/generate.ts')], { cwd: root, stdio: 'inherit' });
}

/** Rules are no part of the schemas, and change often. */
function isRule(path: string): boolean {
  return path.startsWith(join(root, 'src/schema/rules/'));
}

function filesBelow(folder: string): readonly string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function changedAt(path: string): number {
  return statSync(path).mtimeMs;
}
