import type { Position } from '../../manifest/model/manifest.ts';
import type { Finding } from '../../policies/model/finding.ts';
import type { Rule } from '../../policies/rules/rule.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';

/** What the process of policies is told on its standard input: this as a line of JSON, and then a line for each input. */
export interface PolicyRequest {
  /** Of policies as code; absolute, in the order in which they are loaded. */
  readonly files: readonly string[];
  readonly rules: readonly Rule[];
  readonly kinds: CustomKinds;
  /** For loading one file, and for one policy. */
  readonly timeoutMs: number;
  /** Of all of them, in MiB. */
  readonly memoryMb: number;
  /** By this text the end is known: no policy can say that all others have answered. */
  readonly endMark: string;
}

/** What policies are asked about (`PolicyInput`), as JSON in one line; sensitive values are masked. */
export type InputLine = string;

/** A policy that was loaded. */
export interface LoadedPolicy {
  readonly id: string;
  readonly about: string;
  /** Whether it is about plans. */
  readonly isAboutPlans: boolean;
  /** Where the code is that made it; absent for rules, and for those that come along. */
  readonly position?: Position;
  /** The file that exports it; absent likewise. */
  readonly file?: string;
}

/** Why a policy, or a file, has no answer. */
export interface PolicyFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Absent: nobody knows the line. */
  readonly position?: Position;
  readonly resource?: string;
}

/** What is said of the run, a line of JSON each. */
export type PolicyLine =
  /** A file is being loaded; absolute. */
  | { readonly loading: string }
  /** All of them, when all files are loaded; those that are not policies any more are missing. */
  | { readonly policies: readonly LoadedPolicy[] }
  /** A policy begins. */
  | { readonly asked: LoadedPolicy }
  /** What is wrong with which input. */
  | { readonly found: readonly Finding[]; readonly of: number }
  | { readonly failed: PolicyFailure }
  /** The same, and no other policy can be asked. */
  | { readonly stopped: PolicyFailure }
  /** The policy that runs wrote more than `mostOutput`. */
  | { readonly tooMuch: true }
  /** Whatever was to be said has been said: `endMark`. */
  | { readonly end: string };

/** The file descriptor on which it is said. */
export const lineDescriptor = 3;

/** Characters that may be said there: a policy can write there too. */
export const mostSaid = 2 ** 26;

/** Bytes that policies may write, as standard output and error together. */
export const mostOutput = 2 ** 20;
