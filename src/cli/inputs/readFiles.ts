import { readFile } from 'node:fs/promises';
import { parseManifestText } from '../../manifest/parseManifestText.ts';
import type { ParsedText } from '../../manifest/parsedText.ts';
import { beginningBytes, isSavedPlan } from '../../plan/saved/isSavedPlan.ts';
import { decodeText } from './decodeText.ts';
import { displayPath } from './displayPath.ts';
import { inputProblem, systemReason } from './inputProblem.ts';

/** Files open at the same time. */
const atOnce = 32;

/**
 * Reads and parses manifest files; the results are in the order of the paths. Plans that were kept are left out, unless
 * the file was `named`: then it is a problem.
 */
export async function readFiles(paths: readonly string[], cwd: string, named: boolean): Promise<ParsedText> {
  const results: ParsedText[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < paths.length; index = next++) {
      results[index] = await readOne(paths[index] ?? '', cwd, named);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, paths.length) }, work));
  return {
    documents: results.flatMap(({ documents }) => documents),
    problems: results.flatMap(({ problems }) => problems),
  };
}

async function readOne(path: string, cwd: string, named: boolean): Promise<ParsedText> {
  const file = displayPath(path, cwd);
  try {
    const bytes = await readFile(path);
    if (isSavedPlan(bytes.toString('utf8', 0, beginningBytes))) return keptPlan(file, named);
    return parseBytes(bytes, file, path.endsWith('.json') ? 'json' : 'yaml');
  } catch (error) {
    return {
      documents: [],
      problems: [inputProblem(file, 'input.unreadable', systemReason(error), 'Check the path.')],
    };
  }
}

function keptPlan(file: string, named: boolean): ParsedText {
  const hint = 'gantry apply FILE runs it, gantry explain FILE and gantry undo FILE read it.';
  const problem = inputProblem(file, 'input.saved-plan', 'this is a plan that was kept, and no manifest', hint);
  return { documents: [], problems: named ? [problem] : [] };
}

/** Text that declares nothing is a mistake: a file that somebody emptied shall not count as "nothing is wanted". */
export function parseBytes(bytes: Buffer, file: string, format: 'yaml' | 'json'): ParsedText {
  const decoded = decodeText(bytes, file);
  if ('problem' in decoded) return { documents: [], problems: [decoded.problem] };

  if (decoded.text.trim() === '') return { documents: [], problems: [empty(file)] };
  const parsed = parseManifestText({ text: decoded.text, file, format });
  const nothing = parsed.problems.length === 0 && parsed.documents.every(({ value }) => value === null);
  return nothing ? { documents: [], problems: [empty(file)] } : parsed;
}

function empty(file: string) {
  return inputProblem(file, 'input.empty', 'there is no resource in it', 'Declare a resource, or remove the file.');
}
