import { dirname, join } from 'node:path';
import { exists } from '../../../project/files/exists.ts';
import { settingsFileName } from '../../../project/files/projectFiles.ts';
import { findInput } from '../../../project/inputs/findInput.ts';
import type { Settings } from '../../../project/settings/settings.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { programName, repeatedFlags, shellWord } from '../../../terminal/line/nextCommand.ts';
import type { AdoptOptions } from './options.ts';
import type { WrittenLayout } from './writeFiles.ts';

/**
 * The command that claims what was written, for the same stack: `apply` reads the settings of the folder that it is
 * given, so what came from elsewhere stands in it as flags. A token is never shown. Undefined: nothing was written.
 */
export async function nextCommand(
  { out, format }: WrittenLayout,
  settings: Settings,
  context: CommandContext<AdoptOptions>,
): Promise<string | undefined> {
  const { options, cwd } = context;
  if (out === undefined) return undefined;
  const folder = out.folder ? out.path : dirname(out.path);
  const sameSettings = folder === cwd || (await exists(join(folder, settingsFileName)));
  const whole = !sameSettings && format === 'yaml' && (await isReadWith(folder, cwd));
  const flags = flagsFor(settings, sameSettings || whole, context, format === 'ts');
  const project = !sameSettings && !whole && settings.project !== undefined;
  const path = whole ? '.' : shellWord(options.out ?? '');
  const command = [`${programName(context.environment)} apply`, path, '--adopt', ...flags].join(' ');
  return project ? `copy ${settingsFileName} to ${shellWord(folder)}, then ${command}` : command;
}

/** Does the current project read the manifests of that folder? */
async function isReadWith(folder: string, cwd: string): Promise<boolean> {
  const input = await findInput('.', cwd);
  return input.type === 'files' && input.whole && input.paths.some((path) => path.startsWith(`${folder}/`));
}

/**
 * What was given as flags is given again; what stands in a `gantry.yaml` that is not read then, too. `isNamed`: the
 * code that was written says the name of the stack.
 */
function flagsFor(
  settings: Settings,
  sameSettings: boolean,
  { options, environment }: CommandContext<AdoptOptions>,
  isNamed: boolean,
): readonly string[] {
  const names = ['org', 'gvc', 'endpoint', 'data', 'dialect'] as const;
  const needed = (name: (typeof names)[number] | 'stack' | 'token'): boolean =>
    options[name] !== undefined || (!sameSettings && !environment[`GANTRY_${name.toUpperCase()}`]);
  const values = names.flatMap((name) => {
    const value = settings[name];
    const meant = name !== 'data' || options.data !== undefined || options.embedded;
    return value !== undefined && meant && needed(name) ? [`--${name} ${shellWord(value)}`] : [];
  });
  const stack = settings.stack === undefined || needed('stack');
  const unnamed = options.embedded || isNamed ? [] : ['--stack NAME'];
  // The token of a profile or file comes from there again.
  const isElsewhere = options.profile !== undefined || options.tokenFile !== undefined;
  return [
    ...(stack ? (settings.stack === undefined ? unnamed : [`--stack ${shellWord(settings.stack)}`]) : []),
    ...repeatedFlags(options, sameSettings || settings.project !== undefined ? ['embedded', 'env'] : ['embedded']),
    ...values,
    ...repeatedFlags(options, ['profile', 'tokenFile', 'insecure']),
    ...(settings.token !== undefined && !isElsewhere && needed('token') ? ['--token TOKEN'] : []),
  ];
}
