import { relative, resolve } from 'node:path';
import { folderToApplyIn } from '../../gantry/savedPlan/savedProject.ts';
import { limitsInForce, signersInForce } from '../../project/settings/inForce.ts';
import type { Settings } from '../../project/settings/settings.ts';
import { namesKeys } from '../../project/settings/signers.ts';
import { demandsOf } from '../../signing/demandSignatures.ts';
import type { CommandContext } from '../../terminal/context.ts';
import { programName, repeatedFlags, shellWord } from '../../terminal/nextCommand.ts';
import type { GlobalOptions } from '../../terminal/options.ts';

/** A plan that was saved, and what it was made with. */
export interface SavedNow {
  /** As `--out` names it. */
  readonly file: string;
  readonly paths: readonly string[];
  /** Absolute: where `paths` begin. */
  readonly from: string;
  readonly settings: Settings;
}

const platformFlags = ['org', 'stack', 'profile', 'endpoint', 'embedded'] as const;

/** The lines that say how the plan is applied: the commands run as they are, but for keys and a token. */
export async function applyLines(saved: SavedNow, context: CommandContext<GlobalOptions>): Promise<readonly string[]> {
  const { options, environment } = context;
  const { settings } = saved;
  const { enter, file, pathOf, data } = await placesOf(saved, context);
  const gantry = programName(environment);
  // A plan knows its environment, where that is one of gantry.yaml.
  const env = settings.environment === undefined ? (['env'] as const) : [];
  const flags = repeatedFlags(options, [...platformFlags, ...env]);
  const signers = signersInForce(settings);
  const demands = demandsOf({ trust: {}, signers, limits: limitsInForce(settings) });
  const command = [
    `${enter}${gantry} apply ${file}`,
    ...flags,
    ...repeatedFlags({ ...options, ...data }, ['insecure', 'token', 'tokenFile', 'data', 'dialect'], pathOf),
    ...(demands.signature && !namesKeys(signers, 'plan') ? ['--signed-by KEYS'] : []),
    ...(demands.approvals > 0 && !namesKeys(signers, 'approval') ? ['--approved-by KEYS'] : []),
  ].join(' ');
  if (demands.approvals === 0) return [`Next: ${command}`];
  const approve = [`${enter}${gantry} approve ${file} --sign KEYFILE`, ...flags].join(' ');
  return [`Next, by somebody else: ${approve}`, `Then: ${command}`];
}

/** How paths are written: in the working folder as they are, in another one in full. */
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
