import type { Limits } from '../../plan/model/limits.ts';
import type { Environments } from './environment.ts';
import type { Profile } from './profile.ts';
import type { SettingsFile } from './settingsFile.ts';
import type { Signers } from './signers.ts';

/** One of `environments`, with what counts for it besides: its profile, and what stands beside the environments. */
export interface DeclaredEnvironment {
  readonly name: string;
  readonly org: string | undefined;
  readonly endpoint: string | undefined;
  readonly gvc: string | undefined;
  readonly stack: string | undefined;
  readonly signers: Signers | undefined;
  readonly limits: Limits | undefined;
}

/** `profiles`: of this user, those that environments name. */
export function declaredEnvironments(
  file: SettingsFile,
  profiles: ReadonlyMap<string, Profile>,
): readonly DeclaredEnvironment[] {
  const all: Environments = file.environments ?? new Map();
  return [...all].map(([name, { limits, profile, ...block }]) => {
    const known = profile === undefined ? undefined : profiles.get(profile);
    return {
      name,
      limits,
      org: block.org ?? known?.org ?? file.org,
      endpoint: block.endpoint ?? known?.endpoint ?? file.endpoint,
      gvc: block.gvc ?? file.gvc,
      stack: block.stack ?? file.stack,
      signers: block.signers ?? file.signers,
    };
  });
}
