import type { IgnoredBy } from './ignoreRules.ts';

/** Something in a folder that is searched, and is not read. */
export interface LeftOut {
  readonly path: string;
  readonly isFolder: boolean;
  readonly because: IgnoredBy | 'suffix' | 'project' | 'stack' | 'beside';
}
