import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findInput } from './findInput.ts';

/** A PATH, and the stack of its app that is meant. */
export interface PathAndStack {
  readonly path: string;
  /** A name, or the ids of constructs that lead to the stack (`prod/network`); absent: what the path is, as a whole. */
  readonly stack?: string;
}

/**
 * `shop/network` is the stack `network` of the app in `shop`, where there is no such file, and `shop` holds an app.
 * `network` alone is a stack of the app in the current folder, `shop.ts/network` one of the app in that file.
 */
export async function splitSelector(path: string, cwd: string): Promise<PathAndStack> {
  if (path === '-' || /[*?[{]/.test(path) || (await exists(path, cwd))) return { path };
  const parts = path.split('/');
  for (let length = parts.length - 1; length >= 0; length -= 1) {
    const prefix = length === 0 ? '.' : parts.slice(0, length).join('/') || '/';
    if (!(await exists(prefix, cwd))) continue;
    const stack = parts.slice(length).join('/');
    // A name has no dot: whoever writes one means a file.
    return stack !== '' && !stack.includes('.') && (await isApp(prefix, cwd)) ? { path: prefix, stack } : { path };
  }
  return { path };
}

async function exists(path: string, cwd: string): Promise<boolean> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found !== undefined;
}

/** Whether a PATH holds a stack file. */
export async function isApp(path: string, cwd: string): Promise<boolean> {
  return (await findInput(path, cwd)).type === 'stack';
}
