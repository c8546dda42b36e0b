import { policy } from '../model/policy.ts';

/** The image that runs is the one that was tried: the next start does not pull another one under the same name. */
export const imagesPinned = policy({
  id: 'images-pinned',
  about: 'Every image has a digest, or a tag other than latest.',
  kind: 'workload',
  resource({ spec }) {
    return spec.containers.flatMap(({ name, image }) => {
      const why = faultOf(image);
      if (why === undefined) return [];
      const fix = 'Name a version (shop:2.4.1) or a digest (shop@sha256:…).';
      return [{ message: `${image} ${why}`, path: `spec.containers.${name}.image`, fix }];
    });
  },
});

/** No tag means `latest` (platform/workload.images). Only containers of a vm have no image. */
function faultOf(image: string | undefined): string | undefined {
  if (image === undefined || image.includes('@')) return undefined;
  const [, tag] = image.slice(image.lastIndexOf('/') + 1).split(':');
  if (tag === undefined || tag === '') return 'has no tag, which means latest';
  return tag === 'latest' ? 'has the tag latest' : undefined;
}
