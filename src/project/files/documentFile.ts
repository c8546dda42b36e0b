import { isObject, type JsonObject } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import { systemReason } from './fileRefusal.ts';
import { fileSizes } from './sizes.ts';

/** An object in a YAML or JSON file. Errors: `file.read`, with the option that named it. */
export async function readDocumentFile(
  path: string,
  option: string,
  most: number = fileSizes.configuration,
): Promise<JsonObject> {
  const { readDataFile } = await import('./dataFile.ts'); // includes the YAML reader: most commands read no such file
  const { value } = await readDataFile(path, { most, pipes: true }).catch((error: unknown) => {
    throw unreadable(path, option, systemReason(error));
  });
  if (!isObject(value)) throw unreadable(path, option, 'it holds no object');
  return value;
}

function unreadable(path: string, option: string, reason: string): ToolError {
  return new ToolError({
    code: 'file.read',
    message: `${path}: ${reason}`,
    hint: `Give a YAML or JSON file with ${option}.`,
    place: { file: path },
  });
}
