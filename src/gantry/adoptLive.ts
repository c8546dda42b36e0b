import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compact } from '../base/json/present.ts';
import { firstOf } from '../base/text/firstOf.ts';
import { ToolError } from '../base/toolError.ts';
import {
  type AdoptedManifest,
  type Disproof,
  disproveAdoption,
  manifestOf,
  referredKeys,
  whyNotAdopted,
} from '../change/adopt.ts';
import { loadValidators } from '../kinds/validators.ts';
import { checkManifests, kindsOf } from '../manifest/checkManifests.ts';
import { fillValues } from '../manifest/fillValues.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { renderProblem } from '../manifest/model/locatedProblem.ts';
import { parseManifestText } from '../manifest/parseManifestText.ts';
import type { ParsedText } from '../manifest/textPosition.ts';
import type { Platform } from '../project/platform/platform.ts';
import type { Session } from '../project/session/session.ts';
import { ownerOfProject, type Project } from '../project/settings/project.ts';
import { ownerOf, type Settings } from '../project/settings/resolveSettings.ts';
import type { Ref, ResourceId } from '../schema/record/ref.ts';
import { type AdoptionFile, type AdoptionLayout, adoptionFiles } from './adoptionFiles.ts';
import { shortHash } from './loading/hash.ts';
import { type PlanningOptions, planFromPlatform } from './loading/planFromPlatform.ts';
import { type FoundLive, type LeftOut, readAll, readNamed } from './readLive.ts';

/** The resources to adopt, and the form of the files. */
export interface AdoptionRequest {
  /** `all`: everything that no stack owns; with a GVC in the settings, everything in that GVC. */
  readonly resources: readonly Ref[] | 'all';
  readonly layout: AdoptionLayout;
  /** Called with the resources that cannot be adopted, before the proof. */
  readonly onLeftOut?: (left: readonly LeftOut[]) => void;
}

/** Live resources as files that adopt them, proved on the platform; nothing is written yet. */
export interface Adoption {
  /** The manifests of the files; empty if there is nothing to adopt. */
  readonly manifests: readonly AdoptedManifest[];
  readonly files: readonly AdoptionFile[];
  /** Resources that cannot be adopted, with reasons. */
  readonly left: readonly LeftOut[];
}

/**
 * Reads live resources, makes manifests or code of them, and proves that their plan is empty except for the adoption.
 * Nothing is written to the platform: applying with `adopt` claims them.
 *
 * Errors: `adopt.impossible` for a named resource that cannot be adopted; `adopt.unreadable`, `adopt.unproven`.
 */
export async function adoptLive(
  platform: Platform,
  project: Project,
  session: Session,
  { resources, layout, onLeftOut = () => {} }: AdoptionRequest,
): Promise<Adoption> {
  const all = resources === 'all';
  const found = all ? await readAll(platform, project.settings.gvc) : await readNamed(platform.client, resources);
  const owner = ownerFor(session, project);
  const { adopted, left } = sortOut(found, owner, platform.org);
  onLeftOut(left);
  if (!all && left.length > 0) throw cannotAdopt(left);
  if (adopted.length === 0) return { manifests: [], files: [], left };
  const keysOf = referredKeys(found.live, platform.org);
  const manifests = adopted.map((live) => manifestOf(live, { org: platform.org, hash: shortHash, keysOf }));
  const files = await adoptionFiles(manifests, layout);
  const ids = adopted.map(({ id }) => id);
  const proposal = { files, format: layout.format, ids, owner };
  const disproofs = await proveAdoption(proposal, platform, project.settings, session);
  if (disproofs.length > 0) throw unproven(disproofs);
  return { manifests, files, left };
}

interface SortedOut {
  readonly adopted: readonly LiveResource[];
  readonly left: readonly LeftOut[];
}

function sortOut({ live, left }: FoundLive, owner: string, org: string): SortedOut {
  const reasons = live.map((each) => ({ each, because: whyNotAdopted(each, { owner, org, hash: shortHash }) }));
  return {
    adopted: reasons.filter(({ because }) => because === undefined).map(({ each }) => each),
    left: [
      ...left,
      ...compact(reasons, ({ each, because }) => (because === undefined ? undefined : { id: each.id, because })),
    ],
  };
}

/** Code may be made before there is a stack; then no resource is its own yet. */
function ownerFor(session: Session, project: Project): string {
  const { settings } = project;
  if (settings.stack !== undefined || session.options.embedded) return ownerOfProject(session, project);
  return ownerOf({ name: 'gantry-adopt', project: settings.project, gvc: settings.gvc });
}

function cannotAdopt(left: readonly LeftOut[]): ToolError {
  const code = 'adopt.impossible';
  return new ToolError({
    code,
    message: `${left.length} of the named resources cannot be adopted; nothing was written`,
    hint: `Leave out ${firstOf(
      left.map(({ id }) => id),
      3,
    )}.`,
    causes: left.map(({ id, because }) => ({ code, message: because, resource: id })),
  });
}

function unproven(disproofs: readonly Disproof[]): ToolError {
  const lines = disproofs.flatMap(({ id, because }) => because.map((reason) => `${id}: ${reason}`));
  return new ToolError({
    code: 'adopt.unproven',
    message: ['the plan for the generated manifests is not empty; nothing was written:', ...lines].join('\n'),
    hint: 'Adopt the other resources by name, and report this with the record.',
    causes: disproofs.flatMap(({ id, because }) =>
      because.map((message) => ({ code: 'adopt.unproven', message, resource: id })),
    ),
  });
}

/** Like `gantry apply --adopt` without other permits. */
const permitted: PlanningOptions = { adopt: true, target: [], exclude: [] };

interface Proposal {
  readonly files: readonly AdoptionFile[];
  readonly format: 'yaml' | 'ts';
  readonly ids: readonly ResourceId[];
  readonly owner: string;
}

/**
 * Reads the output as `gantry apply` will read it, and plans it on the platform: each resource must be adopted, and
 * only our two tags written. Returns the objections.
 *
 * Errors: `adopt.unreadable` if the output is not a valid input, because of a limit of Gantry or of the live record.
 */
async function proveAdoption(
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
  // This plan is never applied, so it has no limits.
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

/** Runs the code in a folder without user files. It imports the package that this command is part of. */
async function runCode(text: string, session: SessionWithKinds): Promise<ParsedText> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-adopt-'));
  try {
    const path = join(folder, 'stack.ts');
    await writeFile(path, text);
    const { runStack } = await import('../project/stack/runStack.ts');
    return await runStack(path, { ...session, gantry: import.meta.resolve('gantry') });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
