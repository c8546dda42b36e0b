import type { Published } from '../common/words.ts';

export const published: Published = {
  types: {
    ImageFields: {
      about: 'An image of the registry of the org.',
      section: 'image.life',
      fields: {
        repository: 'Name of the image without its tag.',
        tag: 'Tag of the image.',
        digest: 'Digest of the content of the image.',
        manifest: 'Manifest of the image.',
      },
    },
  },
  example: { name: 'web:1', tags: { reviewed: 'yes' } },
};
