export const forgeNames = ['github', 'gitlab'] as const;

/** A repository on a forge, whose commits get a status. */
export interface StatusForge {
  readonly forge: (typeof forgeNames)[number];
  /** The URL of its API, without a final slash. */
  readonly api: string;
  /** Such as `acme/shop`. */
  readonly repository: string;
  readonly token: string;
}

/** The status beside a commit on a forge. */
export interface CommitStatus {
  readonly commit: string;
  /** A later status of the same context replaces it. */
  readonly context: string;
  readonly state: 'pending' | 'success' | 'failure';
  readonly description: string;
  /** A page with details. */
  readonly url?: string | undefined;
}
