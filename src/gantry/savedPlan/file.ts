import { resolve } from 'node:path';
import { ToolError } from '../../base/toolError.ts';
import { readSavedPlan } from '../../change/saved/readSavedPlan.ts';
import type { SavedInputs, SavedPlan } from '../../change/saved/savedPlan.ts';
import { type PlanToSave, savedPlanOf } from '../../change/saved/savedPlanOf.ts';
import { findSecrets, fingerprinted } from '../../change/saved/secrets.ts';
import { writeSavedPlan } from '../../change/saved/writeSavedPlan.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readBytes } from '../../project/files/readBytes.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import type { Environment, Session } from '../../project/session/session.ts';
import { removeSignatures } from '../../signing/signatureFile.ts';
import { type PlanBytes, planBytesOf } from '../../signing/statement.ts';
import { digestOf, fingerprinter, newFingerprints } from './fingerprint.ts';
import { writePlanFile } from './write.ts';

type FileSession = Pick<Session, 'cwd' | 'environment'>;

/** A saved plan, and the bytes of its file that it was read from. */
export interface OpenedPlan {
  readonly saved: SavedPlan;
  readonly bytes: PlanBytes;
}

/**
 * The saved plan in a file (`savedPlanAmong` says whether it is one). Errors: `file.read`, and as `readSavedPlan`.
 */
export async function openSavedPlan(path: string, session: FileSession): Promise<SavedPlan> {
  return (await openPlanFile(path, session)).saved;
}

/** The same, for whoever compares signatures with the file. */
export async function openPlanFile(path: string, session: FileSession): Promise<OpenedPlan> {
  const bytes = await readPlanBytes(path, session);
  const { environment } = session;
  return { saved: readSavedPlan(bytes.toString('utf8'), [digestOf(environment)]), bytes: planBytesOf(bytes) };
}

/** The bytes of a file that should be a saved plan, whatever they are. Errors: `file.read`. */
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

/** Keeps a plan in a file: whole or not at all, and for nobody else to read. */
export async function savePlan(
  planned: PlanToSave,
  inputs: SavedInputs,
  path: string,
  { cwd, environment }: FileSession,
): Promise<PlanBytes> {
  const saved = await toSavedPlan(planned, inputs, environment);
  return writeSaved(saved, path, { cwd, environment });
}

/** Signatures of an earlier plan in this file go with it. */
export async function writeSaved(saved: SavedPlan, path: string, session: FileSession): Promise<PlanBytes> {
  const { cwd, environment } = session;
  const text = writeSavedPlan(saved, digestOf(environment));
  await writePlanFile(resolve(cwd, path), text);
  await removeSignatures(path, cwd);
  return planBytesOf(Buffer.from(text));
}

/** A plan as it is saved: with fingerprints in place of secrets. */
export async function toSavedPlan(
  planned: PlanToSave,
  inputs: SavedInputs,
  environment: Environment,
): Promise<SavedPlan> {
  const saved = savedPlanOf(planned, inputs);
  const found = findSecrets(saved.plan, saved.declared);
  if (found.length === 0) return saved;
  const fingerprints = newFingerprints(environment);
  const fingerprint = fingerprinter(fingerprints, environment);
  const secrets = await Promise.all(
    found.map(async ({ value, ...place }) => ({
      ...place,
      fingerprint: await fingerprint(fingerprinted(place.resource, value)),
    })),
  );
  return { ...saved, secrets, fingerprints };
}
