import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolError } from '../base/toolError.ts';
import { isMissing } from '../project/files/exists.ts';
import { systemReason } from '../project/files/fileRefusal.ts';
import { readBytes } from '../project/files/readBytes.ts';
import { fileSizes } from '../project/files/sizes.ts';
import { type Envelope, isSignatureList, readEnvelope } from './envelope.ts';

/** The signatures of a plan are in a file beside it, one per line, so that the signed plan does not change. */
export function signatureFileOf(plan: string): string {
  return `${plan}.sig`;
}

/** A file with more is not a list of signatures. */
const mostSignatures = 1_000;

/** The signatures beside a plan; none if the file is absent. Errors: `file.read`, `saved.signature-damaged`. */
export async function readSignatures(plan: string, cwd: string): Promise<readonly Envelope[]> {
  const file = signatureFileOf(plan);
  const bytes = await readBytes(resolve(cwd, file), { most: fileSizes.settings }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw new ToolError({
      code: 'file.read',
      message: `${file}: ${systemReason(error)}`,
      hint: 'Give the plan with the signatures that gantry plan --sign and gantry approve wrote beside it.',
      place: { file },
    });
  });
  if (bytes === undefined) return [];
  const lines = bytes.toString('utf8').split('\n');
  // A last line without its end was cut off.
  if (lines.pop() !== '' || lines.length > mostSignatures) throw damaged(file, lines.length + 1);
  return lines.map((line, index) => {
    const envelope = readEnvelope(line);
    if (envelope === undefined) throw damaged(file, index + 1);
    return envelope;
  });
}

/** Writes the first signature of a new plan. Errors: `saved.unwritable`, also if the file has other content. */
export function writeFirstSignature(plan: string, cwd: string, line: string): Promise<void> {
  return write(plan, cwd, (path) => append(path, line, 'ax'));
}

/** Adds a signature in one write, so that concurrent signers do not lose a signature. */
export function addSignature(plan: string, cwd: string, line: string): Promise<void> {
  return write(plan, cwd, (path) => append(path, line, 'a'));
}

async function append(path: string, line: string, flag: 'a' | 'ax'): Promise<void> {
  const file = await open(path, flag, 0o644);
  try {
    await file.writeFile(line);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes the signatures of an earlier plan with that name. Other files are not changed. */
export async function removeSignatures(plan: string, cwd: string): Promise<void> {
  const path = resolve(cwd, signatureFileOf(plan));
  const bytes = await readBytes(path, { most: fileSizes.settings }).catch(() => undefined);
  if (bytes === undefined || !isSignatureList(bytes.toString('utf8'))) return;
  await write(plan, cwd, () => rm(path));
}

async function write(plan: string, cwd: string, work: (path: string) => Promise<void>): Promise<void> {
  const file = signatureFileOf(plan);
  await work(resolve(cwd, file)).catch((error: unknown) => {
    throw new ToolError({
      code: 'saved.unwritable',
      message: `the signatures could not be written to ${file}: ${systemReason(error)}`,
      hint: 'Save the plan in a folder that may be written.',
    });
  });
}

function damaged(file: string, line: number): ToolError {
  return new ToolError({
    code: 'saved.signature-damaged',
    message: `${file}:${line}: this is not a whole signature of a plan: it was cut off or edited`,
    hint: 'Plan again with --sign, and have it approved again.',
    place: { file, line },
  });
}
