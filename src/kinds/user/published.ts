import type { Published } from '../common/words.ts';

export const published: Published = {
  types: {
    UserFields: {
      about: 'A person.',
      section: 'user.life',
      fields: { email: 'E-mail address of the person.', idp: 'Identity provider that the person signs in with.' },
    },
  },
};
