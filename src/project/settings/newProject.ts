import { createHash, randomBytes } from 'node:crypto';

/** An id for `project` in `gantry.yaml` that is easy to read and type, and probably unique in an org. */
export function newProjectId(): string {
  return idOf(randomBytes(8).toString('hex'));
}

/** The same for an existing stack, derived from its declared resources, which differ between projects. */
export function derivedProjectId(org: string, owner: string, ids: readonly string[]): string {
  return idOf(
    createHash('sha256')
      .update([org, owner, ...ids].join('\n'))
      .digest('hex'),
  );
}

/** Begins with a letter, so that YAML never reads a number. */
function idOf(hex: string): string {
  return `p${hex.slice(0, 7)}`;
}
