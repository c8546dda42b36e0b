import { ToolError } from '../base/toolError.ts';

/** The faults of a key, or a list of keys. */
export type KeyErrorCode = 'saved.key-file' | 'saved.key-format' | 'saved.key-type' | 'saved.key-passphrase';

interface KeyErrorFields {
  readonly code: KeyErrorCode;
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  readonly why: string;
  readonly hint: string;
}

/** Nothing of the content of the file is in it. */
export function keyError({ code, file, line, why, hint }: KeyErrorFields): ToolError {
  const place = line === undefined ? { file } : { file, line };
  return new ToolError({ code, message: `${file}${line === undefined ? '' : `:${line}`}: ${why}`, hint, place });
}

export const makeKey = 'Make one with: ssh-keygen -t ed25519 -N "" -f KEYFILE';
