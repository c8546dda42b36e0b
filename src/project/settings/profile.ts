/** The address and token of a platform, with a default org and GVC. */
export interface Profile {
  readonly endpoint?: string;
  readonly token?: string;
  readonly org?: string;
  /** For commands on single resources; a stack's GVC is part of its identity, so it never comes from here. */
  readonly gvc?: string;
  /** Whether any certificate is accepted. */
  readonly insecure?: boolean;
}

export const profileTextKeys = ['endpoint', 'org', 'gvc', 'token'] as const;

export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
  /**
   * `user`: by `--profile` or `GANTRY_PROFILE`, overrides `gantry.yaml`. `environment`: overrides the settings next to
   * the environments. `nobody`: comes last.
   */
  readonly namedBy: 'user' | 'environment' | 'nobody';
}
