import type { AdoptedManifest } from '../../change/adopt.ts';
import { manifestsYaml, manifestYaml } from './manifestYaml.ts';
import { typescriptStack } from './typescriptStack.ts';

/** One file of an adoption. */
export interface AdoptionFile {
  /** `stack.ts`, `resources.yaml`, or of one resource `workload.shop.web.yaml`. */
  readonly name: string;
  readonly text: string;
}

export interface AdoptionLayout {
  readonly format: 'yaml' | 'ts';
  /** One file of YAML for each resource; code is always one file. */
  readonly split: boolean;
  /** The id of the stack in code. */
  readonly stack: string;
}

/** The adopted resources as files. */
export async function adoptionFiles(
  manifests: readonly AdoptedManifest[],
  { format, split, stack }: AdoptionLayout,
): Promise<readonly AdoptionFile[]> {
  if (format === 'ts') return [{ name: 'stack.ts', text: typescriptStack(manifests, stack) }];
  if (!split) return [{ name: 'resources.yaml', text: await manifestsYaml(manifests) }];
  return Promise.all(
    manifests.map(async (adopted) => ({ name: fileName(adopted.id), text: await manifestYaml(adopted) })),
  );
}

/** `workload.shop.web.yaml`: no name but that of a domain holds a dot, and no two ids give the same. */
function fileName(id: string): string {
  return `${id.replaceAll('/', '.').replaceAll('*', '%2A')}.yaml`;
}
