import type { AdoptedManifest } from '../../change/adopt.ts';
import { escapeValues } from '../../manifest/escapeValues.ts';
import { toYaml } from '../../project/files/toYaml.ts';

/** The comment above a placeholder, in every format. */
export const placeholderComment =
  'a placeholder: the value on the platform stays (lifecycle.ignore); fill it in only to create the resource again';

/** One YAML document: keys in the order of the schema, a comment above each placeholder. */
export async function manifestYaml({ manifest, placeholders }: AdoptedManifest): Promise<string> {
  const text = await toYaml(escapeValues(manifest));
  return placeholders.reduce(
    (written, field) => written.replace(new RegExp(`^(?=${field}:)`, 'm'), () => `# ${placeholderComment}\n`),
    text,
  );
}

/** Several in one file. */
export async function manifestsYaml(manifests: readonly AdoptedManifest[]): Promise<string> {
  return (await Promise.all(manifests.map(manifestYaml))).join('---\n');
}
