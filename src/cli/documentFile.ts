import { readFile } from 'node:fs/promises';
import { ToolError } from '../errors.ts';
import { isObject, type JsonObject } from '../schema/json.ts';

/** An object in a YAML or JSON file. Errors: `file.read`, naming the option that asked for it. */
export async function readDocumentFile(path: string, option: string): Promise<JsonObject> {
  const { load } = await import('js-yaml');
  let parsed: unknown;
  try {
    parsed = load(await readFile(path, 'utf8'));
  } catch (cause) {
    throw unreadable(path, option, cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause));
  }
  if (!isObject(parsed)) throw unreadable(path, option, 'it holds no object');
  return parsed;
}

function unreadable(path: string, option: string, reason: string): ToolError {
  return new ToolError({
    code: 'file.read',
    message: `${path}: ${reason}`,
    hint: `Give a YAML or JSON file with ${option}.`,
  });
}
