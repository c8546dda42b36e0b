import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import { formatPosition } from '../../manifest/model/locatedProblem.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { parseManifestText } from '../../manifest/parseManifestText.ts';
import { decodeText } from '../../project/files/decodeText.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readBytes } from '../../project/files/readBytes.ts';
import { readStream } from '../../project/files/readStream.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import { type Kind, kindNamed } from '../../schema/record/kinds.ts';
import type { Call } from './command.ts';

/** The kind of a command's noun. Throws for nouns that are not kinds. */
export function kindOf({ noun }: Call): Kind {
  const kind = kindNamed(noun);
  if (kind === undefined) throw new Error(`${noun} is not a kind`);
  return kind;
}

/** The parts of a call that reading a file needs. */
interface Reading {
  readonly context: Pick<Call['context'], 'cwd' | 'stdin'>;
}

/** The bytes of a file; `-` is standard input. Errors: `input.file`. */
export async function readBytesOf({ context: { cwd, stdin } }: Reading, path: string): Promise<Buffer> {
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
export async function readTextOf(call: Reading, path: string): Promise<string> {
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

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** The one object in a YAML or JSON text. Errors: `input.file`. */
export function objectIn(text: string, file: string): JsonObject {
  const [object, ...others] = objectsIn(text, file);
  if (others.length > 0) throw wrongFile(file, `has ${others.length + 1} documents where one is expected`);
  if (object === undefined) throw wrongFile(file, 'is empty');
  return object;
}

/** The objects in a YAML or JSON text, one for each document. Errors: `input.file`. */
export function objectsIn(text: string, file: string): readonly JsonObject[] {
  const { documents, problems } = parseManifestText({ text, file, format: file.endsWith('.json') ? 'json' : 'yaml' });
  const [problem] = problems;
  if (problem !== undefined) throw wrongFile(file, problem.message, problem.position);
  return documents.flatMap(({ value, locate }) => {
    if (isObject(value)) return [value];
    if (value === null) return [];
    throw wrongFile(file, 'this is not an object', locate([]));
  });
}

function wrongFile(file: string, what: string, position?: Position): ToolError {
  const named = nameOf(file);
  const message =
    position === undefined ? `${named} ${what}` : `${formatPosition({ ...position, file: named })}: ${what}`;
  return new ToolError({
    code: 'input.file',
    message,
    hint: 'Give objects as YAML or JSON.',
    place: { ...position, file },
  });
}
