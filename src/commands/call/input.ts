import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import { formatPosition } from '../../manifest/model/renderProblem.ts';
import { parseManifestText } from '../../manifest/text/parseManifestText.ts';
import { decodeText } from '../../project/files/decodeText.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readBytes } from '../../project/files/readBytes.ts';
import { readStream } from '../../project/files/readStream.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Call } from './command.ts';

/** The kind that a command of a kind is about. */
export function kindOf({ noun }: Call): Kind {
  if (noun === 'profile' || noun === 'rest' || noun === 'completion') throw new Error(`${noun} is not a kind`);
  return noun;
}

/** The bytes of a file; `-` is standard input. Errors: `input.file`. */
export async function readBytesOf({ context: { cwd, stdin } }: Call, path: string): Promise<Buffer> {
  try {
    return path === '-'
      ? await readStream(stdin, fileSizes.manifests)
      : await readBytes(resolve(cwd, path), { most: fileSizes.manifests, pipes: true });
  } catch (error) {
    throw new ToolError({
      code: 'input.file',
      message: `${nameOf(path)}: ${systemReason(error)}`,
      hint: 'Give a file that exists and that you can read, or - for standard input.',
      place: { file: path },
    });
  }
}

/** The text of a file; `-` is standard input. Errors: `input.file`. */
export async function readTextOf(call: Call, path: string): Promise<string> {
  const decoded = decodeText(await readBytesOf(call, path), path);
  if ('text' in decoded) return decoded.text;
  const { position, message, hint } = decoded.problem;
  throw new ToolError({
    code: 'input.file',
    message: `${nameOf(path)}: line ${position.line}: ${message}`,
    hint,
    place: { file: path },
  });
}

/** As people call it. */
function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** The one object in a YAML or JSON text. Errors: `input.file`. */
export function objectIn(text: string, file: string): JsonObject {
  const { documents, problems } = parseManifestText({ text, file, format: file.endsWith('.json') ? 'json' : 'yaml' });
  const [problem] = problems;
  const named = nameOf(file);
  const bad = (message: string) =>
    new ToolError({ code: 'input.file', message, hint: 'Give one object, as YAML or JSON.', place: { file } });
  if (problem !== undefined) throw bad(`${formatPosition({ ...problem.position, file: named })}: ${problem.message}`);
  const [document, ...others] = documents.filter(({ value }) => value !== null);
  if (others.length > 0) throw bad(`${named} has ${documents.length} documents where one is expected`);
  if (document === undefined) throw bad(`${named} is empty`);
  if (!isObject(document.value)) throw bad(`${named} is not an object`);
  return document.value;
}
