export const forgeNames = ['github', 'gitlab'] as const;

/** A repository on a forge, whose commits get a status. */
export interface StatusForge {
  readonly forge: (typeof forgeNames)[number];
  /** Of its API, without a slash at its end. */
  readonly api: string;
  /** `acme/shop`. */
  readonly repository: string;
  readonly token: string;
}

/** The status that a forge shows beside a commit. */
export interface CommitStatus {
  readonly commit: string;
  /** A later one of the same context takes its place. */
  readonly context: string;
  readonly state: 'pending' | 'success' | 'failure';
  readonly description: string;
  /** Where more is said. */
  readonly url?: string | undefined;
}
