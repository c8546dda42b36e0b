import type { AdoptedManifest } from '../../../plan/adopt/manifestOf.ts';
import { manifestsYaml, manifestYaml } from './manifestYaml.ts';
import { typescriptStack } from './typescriptStack.ts';

/** One file, as it will be written. `path` is empty for standard output. */
export interface AdoptFile {
  readonly path: string;
  readonly text: string;
}

export interface AdoptLayout {
  readonly format: 'yaml' | 'ts';
  /** Undefined: standard output. */
  readonly out: { readonly path: string; readonly folder: boolean } | undefined;
  /** The id of the stack in code. */
  readonly stack: string;
}

/** The adopted resources as files: YAML in one file, or one for each resource in a folder; TypeScript always in one. */
export async function adoptFiles(
  manifests: readonly AdoptedManifest[],
  { format, out, stack }: AdoptLayout,
): Promise<readonly AdoptFile[]> {
  if (format === 'ts') {
    const path = out === undefined ? '' : out.folder ? `${out.path}/stack.ts` : out.path;
    return [{ path, text: typescriptStack(manifests, stack) }];
  }
  if (out?.folder !== true) return [{ path: out?.path ?? '', text: await manifestsYaml(manifests) }];
  return Promise.all(
    manifests.map(async (adopted) => ({
      path: `${out.path}/${fileName(adopted.id)}`,
      text: await manifestYaml(adopted),
    })),
  );
}

/** `workload.shop.web.yaml`: no name but that of a domain holds a dot, and no two ids give the same. */
function fileName(id: string): string {
  return `${id.replaceAll('/', '.').replaceAll('*', '%2A')}.yaml`;
}
