/** Whose signatures count: files of public keys. */
export interface Trust {
  /** Of keys that may plan. */
  readonly signedBy?: string;
  /** Of keys that may approve. */
  readonly approvedBy?: string;
}
