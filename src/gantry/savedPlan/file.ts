import { constants } from 'node:fs';
import { open, realpath, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolError } from '../../base/toolError.ts';
import { beginningBytes, isSavedPlan } from '../../change/isSavedPlan.ts';
import type { SavedInputs, SavedPlan } from '../../change/savedPlan.ts';
import { type PlanToSave, savedPlanOf } from '../../change/savedPlanOf.ts';
import { readSavedPlans, writeSavedPlans } from '../../change/savedPlanText.ts';
import { findSecrets, fingerprintText } from '../../change/savedSecrets.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { openRegular, readBytes } from '../../project/files/readBytes.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import { writeWhole } from '../../project/files/writeWhole.ts';
import type { Session } from '../../project/session/session.ts';
import { removeSignatures } from '../../signing/signatureFile.ts';
import { type PlanBytes, planBytesOf } from '../../signing/statement.ts';
import { digestOf, fingerprinter, newFingerprints, warnIfSlow } from './fingerprint.ts';

type FileSession = Pick<Session, 'cwd' | 'environment'>;

/** The saved plans in a file, in the order of applying, and the bytes of the file. */
export interface OpenedPlans {
  readonly plans: readonly SavedPlan[];
  readonly bytes: PlanBytes;
}

/**
 * The plans of a file (`findSavedPlan` finds out whether it has any). Errors: `file.read`, and as `readSavedPlans`.
 */
export async function openPlanFile(path: string, session: FileSession): Promise<OpenedPlans> {
  const bytes = await readPlanBytes(path, session);
  const plans = readSavedPlans(bytes.toString('utf8'), [digestOf(session.environment)]);
  return { plans, bytes: planBytesOf(bytes) };
}

/** The bytes of a file that should be a saved plan, unchecked. Errors: `file.read`. */
export function readPlanBytes(path: string, { cwd }: Pick<FileSession, 'cwd'>): Promise<Buffer> {
  return readBytes(resolve(cwd, path), { most: fileSizes.state }).catch((error: unknown) => {
    throw new ToolError({
      code: 'file.read',
      message: `${path}: ${systemReason(error)}`,
      hint: 'Give a file that was written by gantry plan --out.',
      place: { file: path },
    });
  });
}

/**
 * Saves plans in a file, atomically and readable only for the user. Deletes signatures of an earlier plan in this file.
 */
export async function writeSaved(
  plans: readonly SavedPlan[],
  path: string,
  { cwd, environment }: FileSession,
): Promise<PlanBytes> {
  const text = writeSavedPlans(plans, digestOf(environment));
  await writePlanFile(resolve(cwd, path), text);
  await removeSignatures(path, cwd);
  return planBytesOf(Buffer.from(text));
}

/** The saved form of a plan, with fingerprints instead of secrets. */
export async function toSavedPlan(
  planned: PlanToSave,
  inputs: SavedInputs,
  { environment, tell }: Pick<Session, 'environment' | 'tell'>,
): Promise<SavedPlan> {
  const saved = savedPlanOf(planned, inputs);
  const found = findSecrets(saved.plan, saved.declared);
  if (found.length === 0) return saved;
  const fingerprints = newFingerprints(environment);
  const fingerprint = fingerprinter(fingerprints, environment);
  const texts = found.map(({ value, ...place }) => ({ place, text: fingerprintText(place.resource, value) }));
  await warnIfSlow(fingerprints, new Set(texts.map(({ text }) => text)).size, tell);
  const secrets = await Promise.all(
    texts.map(async ({ place, text }) => ({ ...place, fingerprint: await fingerprint(text) })),
  );
  return { ...saved, secrets, fingerprints };
}

/** False for folders, manifests and missing files, which the inputs report. */
export async function isSavedPlanFile(path: string): Promise<boolean> {
  const opened = await openRegular(path).catch(() => undefined);
  if (opened === undefined) return false;
  const { file } = opened;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    return isSavedPlan(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

const onlyOwner = 0o600;

/**
 * Writes a plan, atomically and readable only for the user. Only an empty file or another plan is overwritten; a link
 * is followed; a pipe or a device is written into, not replaced.
 *
 * Errors: `saved.unwritable`.
 */
export async function writePlanFile(path: string, text: string): Promise<void> {
  try {
    const there = await stat(path).catch(() => undefined);
    if (there === undefined || there.isDirectory()) return writeWhole(path, text, onlyOwner);
    if (there.isFIFO()) return await writePipe(path, text);
    if (!there.isFile()) return await writeFile(path, text);
    if (there.size > 0 && !(await isSavedPlanFile(path))) {
      throw unwritable(path, 'it exists and is not a plan', 'Give --out another file, or remove this one.');
    }
    writeWhole(await realpath(path), text, onlyOwner);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const denied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    const why = denied ? 'you are not permitted to write it' : systemReason(error);
    throw unwritable(path, why, 'Give --out a file in an existing folder that you can write to.');
  }
}

/** Fails without a reader, instead of silently waiting for one. */
async function writePipe(path: string, text: string): Promise<void> {
  const first = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENXIO') throw error;
    throw unwritable(path, 'it is a pipe that nobody reads', 'Give --out a file, or start the reader first.');
  });
  try {
    await writeFile(path, text);
  } finally {
    await first.close();
  }
}

function unwritable(path: string, why: string, hint: string): ToolError {
  return new ToolError({ code: 'saved.unwritable', message: `the plan could not be saved to ${path}: ${why}`, hint });
}
