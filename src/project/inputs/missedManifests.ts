import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSavedPlan } from '../../change/isSavedPlan.ts';
import { creatableKinds } from '../../schema/record/kinds.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import { openRegular } from '../files/readBytes.ts';
import { isManifestName } from './names.ts';
import type { IgnoredBy } from './readIgnoreFiles.ts';

/** Limits for all omitted entries together. */
const mostEntries = 5_000;
const mostFiles = 200;
const headBytes = 16_384;

/** Omitted files that contain manifests and that the user may miss. */
export interface Missed {
  readonly because: LeftOut['because'];
  readonly manifests: readonly string[];
  /** The omitted entries: these files, or their folders. */
  readonly entries: readonly LeftOut[];
}

/**
 * Looks for manifests among omitted entries, by names and the beginnings of files: a manifest omitted without a note
 * may be planned for deletion. Limited, and never in `.git` and `node_modules`.
 */
export async function missedManifests(leftOut: readonly LeftOut[]): Promise<readonly Missed[]> {
  const missed = new Map<LeftOut['because'], { readonly manifests: string[]; readonly entries: LeftOut[] }>();
  const left: Left = { entries: mostEntries, files: mostFiles };
  for (const entry of leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const manifests = await manifestsOf(entry, left);
    if (manifests.length === 0) continue;
    const same = missed.get(entry.because) ?? { manifests: [], entries: [] };
    missed.set(entry.because, same);
    same.manifests.push(...manifests);
    same.entries.push(entry);
  }
  return [...missed].map(([because, found]) => ({ because, ...found }));
}

async function manifestsOf({ path, isFolder, because }: LeftOut, left: Left): Promise<readonly string[]> {
  if (because === 'project' || because === 'stack') return [path];
  if (isFolder) return manifestsIn(path, left);
  return (await holdsManifest(path, left)) ? [path] : [];
}

interface Left {
  entries: number;
  files: number;
}

async function manifestsIn(folder: string, left: Left): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [folder];
  for (let at = open.pop(); at !== undefined && left.entries > 0; at = open.pop()) {
    if (/[\\/](?:\.git|node_modules)$/.test(at)) continue;
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    left.entries -= entries.length;
    if (entries.some(({ name }) => name === settingsFileName)) continue; // another project
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() && isManifestName(entry.name) && (await holdsManifest(path, left))) found.push(path);
    }
  }
  return found;
}

const kinds = `["']?(?:${creatableKinds.join('|')})["']?\\s*(?:$|[,}#])`;
/** At the top of a document or a list item: other files that mention resources have it deeper. */
const kind = new RegExp(`^(?:- |[ \\t]{0,4}|\\s*\\[?\\s*\\{[^{}]*)["']?kind["']?\\s*:\\s*${kinds}`, 'm');
const name = /(?:^|[\s{,"'-])name["']?\s*:/m;

/** A plan or drift document of `-o json` and `--report FILE.json`. */
const ownDocument = /^\uFEFF?\s*\{\s*"formatVersion"\s*:/;

async function holdsManifest(path: string, left: Left): Promise<boolean> {
  if (left.files <= 0) return false;
  left.files -= 1;
  const opened = await openRegular(path).catch(() => undefined);
  if (opened === undefined) return false;
  try {
    const { buffer, bytesRead } = await opened.file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    return !isSavedPlan(head) && !ownDocument.test(head) && kind.test(head) && name.test(head);
  } finally {
    await opened.file.close();
  }
}

/** An entry of a searched folder that is not read. */
export interface LeftOut {
  readonly path: string;
  readonly isFolder: boolean;
  readonly because: IgnoredBy | 'suffix' | 'project' | 'stack' | 'beside';
}
