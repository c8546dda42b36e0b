import { resolve } from 'node:path';
import type { JsonValue } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import { readState, type StateResource } from '../../hcl/values/readState.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readBytes } from '../../project/files/readBytes.ts';
import { readStream } from '../../project/files/readStream.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import type { Surroundings } from '../../project/session/session.ts';

/**
 * The managed resources of a state, or of the output of `terraform show -json`; `-` is standard input. Messages never
 * quote the file, which contains secrets. Errors: `terraform.state`.
 */
export async function readStateFile(
  file: string,
  { cwd, stdin }: Pick<Surroundings, 'cwd' | 'stdin'>,
): Promise<readonly StateResource[]> {
  const bytes = await readFrom(file, cwd, stdin).catch((error: unknown) => {
    throw unusable(file, systemReason(error), stateHint, error);
  });
  const read = readState(parsed(file, bytes.toString('utf8')));
  if ('mistake' in read) throw unusable(file, read.mistake, read.hint);
  return read.resources;
}

const stateHint = 'Give terraform.tfstate, or the output of terraform show -json.';

function readFrom(file: string, cwd: string, stdin: Surroundings['stdin']): Promise<Buffer> {
  if (file === '-') return readStream(stdin, fileSizes.state);
  return readBytes(resolve(cwd, file), { most: fileSizes.state, pipes: true });
}

function parsed(file: string, text: string): JsonValue {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw unusable(file, 'it is not JSON', stateHint);
  }
}

function unusable(file: string, reason: string, hint: string, cause?: unknown): ToolError {
  const path = file === '-' ? 'standard input' : file;
  return new ToolError({ code: 'terraform.state', message: `${path}: ${reason}`, hint, cause, place: { file: path } });
}
