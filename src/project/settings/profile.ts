/** How to reach a platform, and what is meant where nothing is named. */
export interface Profile {
  readonly endpoint?: string;
  readonly token?: string;
  readonly org?: string;
  /** Of commands on single resources; a stack's GVC is part of its identity, so it never comes from here. */
  readonly gvc?: string;
  /** Any certificate is accepted. */
  readonly insecure?: boolean;
}

export const profileTexts = ['endpoint', 'org', 'gvc', 'token'] as const;

/** A profile with its name. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
  /**
   * By `--profile` or `GANTRY_PROFILE`: it counts before `gantry.yaml`. By the environment: before what stands beside
   * the environments. By nobody: last.
   */
  readonly namedBy: 'user' | 'environment' | 'nobody';
}
