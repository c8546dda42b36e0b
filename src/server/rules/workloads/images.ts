import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../schema/json/json.ts';

/**
 * `status.resolvedImages` (platform/workload.status). Digests are simulated: equal images have equal ones. `missing`:
 * images that the org's own registry does not have (platform/deletion.references).
 */
export function resolvedImages(
  workload: JsonObject,
  version: number,
  resolvedMs: number,
  missing: readonly string[],
  digest: (text: string) => string,
): JsonObject {
  const images = listAt(objectAt(workload, 'spec'), 'containers').flatMap((container) => {
    const image = isObject(container) ? stringAt(container, 'image') : undefined;
    return image === undefined ? [] : [image];
  });
  return {
    resolvedForVersion: version,
    resolvedAt: new Date(resolvedMs).toISOString(),
    errorMessages: missing.map((image) => `${image} is not in the registry`),
    images: [...new Set(images)]
      .filter((image) => !missing.includes(image))
      .map((image) => ({
        digest: `sha256:${digest(`index of ${image}`)}`,
        manifests: [
          {
            image,
            mediaType: 'application/vnd.oci.image.manifest.v1+json',
            digest: `sha256:${digest(`linux/amd64 of ${image}`)}`,
            platform: { os: 'linux', architecture: 'amd64' },
          },
        ],
      })),
  };
}
