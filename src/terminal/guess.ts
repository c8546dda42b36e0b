import { existsSync } from 'node:fs';
import { join } from 'node:path';

const commands: ReadonlySet<string> = new Set([
  'validate',
  'synth',
  'graph',
  'plan',
  'apply',
  'dev',
  'explain',
  'drift',
]);

/** Whether a command line probably runs a TypeScript stack. */
export function isLikelyToRunStack(args: readonly string[]): boolean {
  if (!args.some((arg) => commands.has(arg)) || args.includes('--help') || args.includes('-h')) return false;
  return existsSync('stack.ts') || args.some((arg) => /\.[cm]?ts$/.test(arg) || existsSync(join(arg, 'stack.ts')));
}
