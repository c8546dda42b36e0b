import type { ManifestDocument } from '../manifest/model/document.ts';
import type { Position } from '../manifest/model/manifest.ts';

/** What a case expects of the policies; what it leaves out may be anything. */
export interface ExpectedProblem {
  readonly policy: string;
  readonly resource?: string;
  readonly path?: string;
  readonly severity?: string;
  readonly message?: string;
  readonly position: Position;
}

/** One case of a file of tests. */
export interface TestCase {
  readonly name: string;
  readonly position: Position;
  /** The time that policies see; undefined: that of now. */
  readonly now: string | undefined;
  readonly manifests: readonly ManifestDocument[];
  /** What is live before it; then the policies are asked about the plan too. */
  readonly live: readonly ManifestDocument[] | undefined;
  readonly expected: readonly ExpectedProblem[];
}

/** A file of tests: `policies/NAME.test.yaml`. */
export interface TestFile {
  /** As it is shown. */
  readonly file: string;
  /** The policies whose problems count; undefined: all of them. */
  readonly policies: readonly string[] | undefined;
  readonly cases: readonly TestCase[];
}
