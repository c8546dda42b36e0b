import { createHash, randomBytes } from 'node:crypto';

/** An id for `project` in `gantry.yaml`, easy to read and to type, which no other project of an org is likely to have. */
export function newProject(): string {
  return idOf(randomBytes(8).toString('hex'));
}

/** The same for a stack that has none, always the same for what it declares: another project declares other things. */
export function projectFor(org: string, owner: string, ids: readonly string[]): string {
  return idOf(
    createHash('sha256')
      .update([org, owner, ...ids].join('\n'))
      .digest('hex'),
  );
}

/** It begins with a letter, so that YAML never takes it for a number. */
function idOf(hex: string): string {
  return `p${hex.slice(0, 7)}`;
}
