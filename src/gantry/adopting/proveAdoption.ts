import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../../base/toolError.ts';
import { type Disproof, disproveAdoption } from '../../change/adopt/proof.ts';
import { loadValidators } from '../../kinds/validation/validators.ts';
import { checkManifests, kindsOf } from '../../manifest/check/checkManifests.ts';
import { renderProblem } from '../../manifest/model/renderProblem.ts';
import type { ParsedText } from '../../manifest/text/parsedText.ts';
import { parseManifestText } from '../../manifest/text/parseManifestText.ts';
import { fillValues } from '../../manifest/values/fillValues.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { Session } from '../../project/session/session.ts';
import type { Settings } from '../../project/settings/settings.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { type PlanningOptions, planFromPlatform } from '../planning/planFromPlatform.ts';
import type { AdoptionFile } from './adoptionFiles.ts';

/** As `gantry apply --adopt` with no other permission. */
const permitted: PlanningOptions = { adopt: true, target: [], exclude: [] };

export interface Proposal {
  readonly files: readonly AdoptionFile[];
  readonly format: 'yaml' | 'ts';
  readonly ids: readonly ResourceId[];
  readonly owner: string;
}

/**
 * Reads back what is going to be written, as `gantry apply` will read it, and plans it on the platform: each resource
 * must be adopted, and nothing but our two tags written. What speaks against that comes back.
 *
 * Errors: `adopt.unreadable` when what was made is no valid input, which is our own limit or that of the live record.
 */
export async function proveAdoption(
  { files, format, ids, owner }: Proposal,
  platform: Platform,
  settings: Settings,
  session: Session,
): Promise<readonly Disproof[]> {
  const parsed = await Promise.all(files.map((file) => readBack(file, format, { ...session, kinds: settings.kinds })));
  const documents = parsed.flatMap((each) => each.documents);
  const checked = checkManifests(documents, {
    org: platform.org,
    validators: await loadValidators(kindsOf(documents)),
  });
  const problems = [...parsed.flatMap((each) => each.problems), ...checked.problems];
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new ToolError({
      code: 'adopt.unreadable',
      message: ['the live state cannot be expressed as a valid manifest:', ...errors.map(renderProblem)].join('\n'),
      hint: 'Change these fields on the platform, or leave these resources out by naming the others.',
    });
  }
  // Nothing of this plan is carried out, so nothing limits it.
  const limits = { limits: [], nowMs: 0 };
  const { directives } = settings;
  const input = { desired: checked.resources, owner, scope: 'partial', directives, ...limits } as const;
  const { plan } = await planFromPlatform(platform, input, { options: permitted });
  return disproveAdoption(plan, ids);
}

type SessionWithKinds = Session & Pick<Settings, 'kinds'>;

async function readBack(
  { name, text }: AdoptionFile,
  format: 'yaml' | 'ts',
  session: SessionWithKinds,
): Promise<ParsedText> {
  if (format === 'ts') return runCode(text, session);
  const { documents, problems } = parseManifestText({ text, file: name, format });
  const filled = fillValues(documents, undefined);
  return { documents: filled.documents, problems: [...problems, ...filled.problems] };
}

/** Runs the code beside nobody's files. The package is the one that this command is part of. */
async function runCode(text: string, session: SessionWithKinds): Promise<ParsedText> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-adopt-'));
  try {
    const path = join(folder, 'stack.ts');
    await writeFile(path, text);
    const { runStack } = await import('../../project/stack/runStack.ts');
    return await runStack(path, { ...session, gantry: import.meta.resolve('gantry') });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
