import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findInput } from './findInput.ts';

/** A PATH, and the selected stack of its app. */
export interface PathAndStack {
  readonly path: string;
  /** A name, or the ids of the constructs on the way to the stack (`prod/network`); absent: the whole input. */
  readonly stack?: string;
}

/**
 * `shop/network` is the stack `network` of the app in `shop`, if there is no such file and `shop` contains an app.
 * `network` alone is a stack of the app in the current folder, `shop.ts/network` one of the app in that file.
 */
export async function splitSelector(path: string, cwd: string): Promise<PathAndStack> {
  if (path === '-' || /[*?[{]/.test(path) || (await exists(path, cwd))) return { path };
  const parts = path.split('/');
  for (let length = parts.length - 1; length >= 0; length -= 1) {
    const prefix = length === 0 ? '.' : parts.slice(0, length).join('/') || '/';
    if (!(await exists(prefix, cwd))) continue;
    const stack = parts.slice(length).join('/');
    // Names of stacks have no dot, so a selector with one means a file.
    return stack !== '' && !stack.includes('.') && (await isApp(prefix, cwd)) ? { path: prefix, stack } : { path };
  }
  return { path };
}

async function exists(path: string, cwd: string): Promise<boolean> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found !== undefined;
}

/** Whether a PATH contains a stack file. */
export async function isApp(path: string, cwd: string): Promise<boolean> {
  return (await findInput(path, cwd)).type === 'stack';
}
