import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { settingsFileName } from '../../../automation/files/projectFiles.ts';
import { findInput } from '../../../automation/inputs/findInput.ts';
import type { Settings } from '../../../automation/settings/settings.ts';
import type { CommandContext } from '../../line/context.ts';
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
  const sameSettings = folder === cwd || (await hasSettings(folder));
  const whole = !sameSettings && format === 'yaml' && (await isReadWith(folder, cwd));
  const flags = flagsFor(settings, sameSettings || whole, context);
  const project = !sameSettings && !whole && settings.project !== undefined;
  const command = ['gantry apply', whole ? '.' : quoted(options.out ?? ''), '--adopt', ...flags].join(' ');
  return project ? `copy ${settingsFileName} to ${quoted(folder)}, then ${command}` : command;
}

async function hasSettings(folder: string): Promise<boolean> {
  return (await stat(join(folder, settingsFileName)).catch(() => undefined)) !== undefined;
}

/** Does the current project read the manifests of that folder? */
async function isReadWith(folder: string, cwd: string): Promise<boolean> {
  const input = await findInput('.', cwd);
  return input.type === 'files' && input.whole && input.paths.some((path) => path.startsWith(`${folder}/`));
}

/** What was given as flags is given again; what stands in a `gantry.yaml` that is not read then, too. */
function flagsFor(
  settings: Settings,
  sameSettings: boolean,
  { options, environment }: CommandContext<AdoptOptions>,
): readonly string[] {
  const names = ['org', 'gvc', 'endpoint', 'data', 'dialect'] as const;
  const needed = (name: (typeof names)[number] | 'stack' | 'token'): boolean =>
    options[name] !== undefined || (!sameSettings && !environment[`GANTRY_${name.toUpperCase()}`]);
  const values = names.flatMap((name) => {
    const value = settings[name];
    const meant = name !== 'data' || options.data !== undefined || options.embedded;
    return value !== undefined && meant && needed(name) ? [`--${name} ${quoted(value)}`] : [];
  });
  const stack = settings.stack === undefined || needed('stack');
  const unnamed = options.embedded ? [] : ['--stack NAME'];
  return [
    ...(stack ? (settings.stack === undefined ? unnamed : [`--stack ${quoted(settings.stack)}`]) : []),
    ...(options.embedded ? ['--embedded'] : []),
    ...values,
    ...(settings.token !== undefined && needed('token') ? ['--token TOKEN'] : []),
  ];
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w./:@,=%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
