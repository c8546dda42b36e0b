import type { Environment, ProjectOptions } from '../project/session/session.ts';
import { withoutUser } from '../project/settings/endpoints.ts';

/** How Gantry is started: npm and npx find the program of the project, which a shell does not. */
export function programName(environment: Environment): string {
  return environment['npm_command'] === undefined ? 'gantry' : 'npx gantry';
}

/** A text as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w./:@,=%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

type PlatformFlag = keyof Pick<
  ProjectOptions,
  | 'org'
  | 'gvc'
  | 'stack'
  | 'env'
  | 'profile'
  | 'endpoint'
  | 'insecure'
  | 'token'
  | 'tokenFile'
  | 'embedded'
  | 'data'
  | 'dialect'
>;

/** Options whose values are paths. */
const paths: ReadonlySet<PlatformFlag> = new Set(['tokenFile', 'data', 'dialect']);

/**
 * Flags of this call that the next command needs; values of variables and `gantry.yaml` apply again without them. A
 * token or password is never shown. `pathOf`: how a path is written for the next command.
 */
export function repeatedFlags(
  options: Partial<Pick<ProjectOptions, PlatformFlag>>,
  names: readonly PlatformFlag[],
  pathOf: (path: string) => string = (path) => path,
): readonly string[] {
  return names.flatMap((name) => {
    const value = options[name];
    if (value === undefined || value === false) return [];
    const flag = `--${name === 'tokenFile' ? 'token-file' : name}`;
    if (value === true) return [flag];
    if (name === 'token') return [`${flag} TOKEN`];
    if (name === 'endpoint') return [`${flag} ${shellWord(withoutUser(value))}`];
    return [`${flag} ${shellWord(paths.has(name) ? pathOf(value) : value)}`];
  });
}
