import { resolve } from 'node:path';
import { ToolError } from '../../base/toolError.ts';
import type { SavedInputs, SavedPlan } from '../../change/savedPlan.ts';
import { type PlanToSave, savedPlanOf } from '../../change/savedPlanOf.ts';
import { readSavedPlans, writeSavedPlans } from '../../change/savedPlanText.ts';
import { findSecrets, fingerprinted } from '../../change/savedSecrets.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readBytes } from '../../project/files/readBytes.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import type { Session } from '../../project/session/session.ts';
import { removeSignatures } from '../../signing/signatureFile.ts';
import { type PlanBytes, planBytesOf } from '../../signing/statement.ts';
import { digestOf, fingerprinter, newFingerprints, tellIfSlow } from './fingerprint.ts';
import { writePlanFile } from './write.ts';

type FileSession = Pick<Session, 'cwd' | 'environment'>;

/** The saved plans in a file, in the order in which they are applied, and the bytes that they were read from. */
export interface OpenedPlans {
  readonly plans: readonly SavedPlan[];
  readonly bytes: PlanBytes;
}

/** The plans of a file (`savedPlanAmong` says whether it has any). Errors: `file.read`, and as `readSavedPlans`. */
export async function openPlanFile(path: string, session: FileSession): Promise<OpenedPlans> {
  const bytes = await readPlanBytes(path, session);
  const plans = readSavedPlans(bytes.toString('utf8'), [digestOf(session.environment)]);
  return { plans, bytes: planBytesOf(bytes) };
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

/**
 * Keeps plans in a file: whole or not at all, and for nobody else to read. Signatures of an earlier plan in this file go
 * with it.
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

/** A plan as it is saved: with fingerprints in place of secrets. */
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
  const texts = found.map(({ value, ...place }) => ({ place, text: fingerprinted(place.resource, value) }));
  await tellIfSlow(fingerprints, new Set(texts.map(({ text }) => text)).size, tell);
  const secrets = await Promise.all(
    texts.map(async ({ place, text }) => ({ ...place, fingerprint: await fingerprint(text) })),
  );
  return { ...saved, secrets, fingerprints };
}
