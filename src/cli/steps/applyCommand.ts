import { relative, resolve } from 'node:path';
import { folderToApplyIn } from '../../gantry/savedPlan/savedProject.ts';
import { effectiveLimits, effectiveSigners } from '../../project/settings/effectiveLimits.ts';
import type { Settings } from '../../project/settings/resolveSettings.ts';
import { hasKeysFor } from '../../project/settings/signers.ts';
import { requiredSignatures } from '../../signing/requiredApprovals.ts';
import type { CommandContext } from '../../terminal/context.ts';
import { programName, repeatedFlags, shellWord } from '../../terminal/nextCommand.ts';
import type { GlobalOptions } from '../../terminal/options.ts';

/** A plan that was just saved, and its inputs. */
export interface SavedNow {
  /** As given to `--out`. */
  readonly file: string;
  readonly paths: readonly string[];
  /** Absolute: the base of `paths`. */
  readonly from: string;
  readonly settings: Settings;
}

const platformFlags = ['org', 'stack', 'profile', 'endpoint', 'embedded'] as const;

/** The lines that explain how to apply the plan: complete commands, except for keys and a token. */
export async function applyLines(saved: SavedNow, context: CommandContext<GlobalOptions>): Promise<readonly string[]> {
  const { options, environment } = context;
  const { settings } = saved;
  const { enter, file, pathOf, data } = await placesOf(saved, context);
  const gantry = programName(environment);
  // A plan contains its environment, if gantry.yaml declares it.
  const env = settings.environment === undefined ? (['env'] as const) : [];
  const flags = repeatedFlags(options, [...platformFlags, ...env]);
  const signers = effectiveSigners(settings);
  const required = requiredSignatures({ trust: {}, signers, limits: effectiveLimits(settings) });
  const command = [
    `${enter}${gantry} apply ${file}`,
    ...flags,
    ...repeatedFlags({ ...options, ...data }, ['insecure', 'token', 'tokenFile', 'data', 'dialect'], pathOf),
    ...(required.signature && !hasKeysFor(signers, 'plan') ? ['--signed-by KEYS'] : []),
    ...(required.approvals > 0 && !hasKeysFor(signers, 'approval') ? ['--approved-by KEYS'] : []),
  ].join(' ');
  if (required.approvals === 0) return [`Next: ${command}`];
  const approve = [`${enter}${gantry} approve ${file} --sign KEYFILE`, ...flags].join(' ');
  return [`Next, by somebody else: ${approve}`, `Then: ${command}`];
}

/** How paths are written: unchanged if the command runs in the working folder, otherwise absolute. */
async function placesOf(
  { file, paths, from, settings }: SavedNow,
  { cwd: here, options }: Pick<CommandContext<GlobalOptions>, 'cwd' | 'options'>,
) {
  const at = await folderToApplyIn({ here, from, paths }, resolve(here, file));
  const isHere = at.folder === here && at.cwd === here;
  const usual = resolve(from, settings.data);
  const isLost = options.embedded && options.data === undefined && resolve(at.cwd, settings.data) !== usual;
  return {
    enter: at.folder === here ? '' : `cd ${shellWord(relative(here, at.folder))} && `,
    file: shellWord(at.folder === here ? file : relative(at.folder, resolve(here, file))),
    pathOf: (path: string) => (isHere ? path : resolve(here, path)),
    data: isLost ? { data: usual } : {},
  };
}
