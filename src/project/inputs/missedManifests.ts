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
export interface MissedManifests {
  readonly because: LeftOut['because'];
  readonly manifests: readonly string[];
  /** The omitted entries: these files, or their folders. */
  readonly entries: readonly LeftOut[];
}

/**
 * Looks for manifests among omitted entries, by names and the beginnings of files: a manifest omitted without a note
 * may be planned for deletion. Limited, and never in `.git` and `node_modules`.
 */
export async function missedManifests(leftOut: readonly LeftOut[]): Promise<readonly MissedManifests[]> {
  const missed = new Map<LeftOut['because'], { readonly manifests: string[]; readonly entries: LeftOut[] }>();
  const budget: RemainingBudget = { entries: mostEntries, files: mostFiles };
  for (const entry of leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const manifests = await manifestsOf(entry, budget);
    if (manifests.length === 0) continue;
    const ofReason = missed.get(entry.because) ?? { manifests: [], entries: [] };
    missed.set(entry.because, ofReason);
    ofReason.manifests.push(...manifests);
    ofReason.entries.push(entry);
  }
  return [...missed].map(([because, found]) => ({ because, ...found }));
}

async function manifestsOf({ path, isFolder, because }: LeftOut, budget: RemainingBudget): Promise<readonly string[]> {
  if (because === 'project' || because === 'stack') return [path];
  if (isFolder) return manifestsIn(path, budget);
  return (await holdsManifest(path, budget)) ? [path] : [];
}

interface RemainingBudget {
  entries: number;
  files: number;
}

async function manifestsIn(folder: string, budget: RemainingBudget): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && budget.entries > 0; at = folders.pop()) {
    if (/[\\/](?:\.git|node_modules)$/.test(at)) continue;
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    budget.entries -= entries.length;
    if (entries.some(({ name }) => name === settingsFileName)) continue; // another project
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && isManifestName(entry.name) && (await holdsManifest(path, budget))) found.push(path);
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

async function holdsManifest(path: string, budget: RemainingBudget): Promise<boolean> {
  if (budget.files <= 0) return false;
  budget.files -= 1;
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
