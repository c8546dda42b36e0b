const mebibyte = 2 ** 20;

/** The limits of file contents, so that a wrong name cannot exhaust the memory. Our own decision. */
export const fileSizes = {
  /** `gantry.yaml` and the token of a data folder. */
  settings: mebibyte,
  /** Dialects, tokens, faults. */
  configuration: 16 * mebibyte,
  /** One file of manifests, and standard input. */
  manifests: 64 * mebibyte,
  /** All files of manifests together. */
  allManifests: 128 * mebibyte,
  /** Saved plans, and snapshots: below the longest text of the engine. */
  state: 500 * mebibyte,
} as const;
