import { resolve } from 'node:path';
import { type JsonObject, objectAt } from '../../base/json/json.ts';
import { readDocumentFile } from '../../project/files/documentFile.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { Session } from '../../project/session/session.ts';
import { openProject } from '../../project/settings/project.ts';
import type { SavedState } from '../../rehearsal/savedState.ts';

/** A live state out of a file, in place of a platform. */
export interface SnapshotPlatform extends Platform {
  readonly given: SavedState;
}

/** Reads the file of `--snapshot`. Errors: `file.read`. */
export function readSnapshotFile(path: string, { cwd }: Pick<Session, 'cwd'>): Promise<JsonObject> {
  return readDocumentFile(resolve(cwd, path), '--snapshot', fileSizes.state);
}

/** The org of a file that holds one only is meant where no other is named. Undefined: another is, or there are several. */
export async function orgOfSnapshot(
  document: JsonObject,
  session: Session,
  paths: readonly string[],
): Promise<string | undefined> {
  const [org, ...others] = Object.keys(objectAt(document, 'orgs'));
  if (org === undefined || others.length > 0 || session.options.embedded) return undefined;
  const { settings } = await openProject(session, paths);
  return settings.org === undefined ? org : undefined;
}

/** No endpoint, no token, no network. Errors: `server.snapshot`. */
export async function openSnapshotFile(document: JsonObject, org: string): Promise<SnapshotPlatform> {
  const { openSavedState } = await import('../../rehearsal/savedState.ts');
  const given = await openSavedState(document, org);
  return { client: given.client, org, given, tellRetriesTo() {}, close: () => given.close() };
}

/**
 * Reason values of secrets are unknown: nobody refused them, the file does not hold them. Undefined: none is missed.
 */
export function sealedNote(
  path: string,
  unrevealed: ReadonlySet<string>,
  { base }: Pick<SavedState, 'base'>,
): string | undefined {
  const missed = base.sealed.filter((id) => unrevealed.has(id)).length;
  if (missed === 0) return undefined;
  const values = missed === 1 ? 'the values of 1 secret that is' : `the values of ${missed} secrets that are`;
  return `note: ${path} does not hold ${values} declared: take it with GET /-snapshot?secrets=true to compare them`;
}
