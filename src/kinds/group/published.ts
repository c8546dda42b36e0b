import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    GroupFields: {
      about: 'Users and service accounts under one name.',
      section: 'group.members',
      fields: {
        memberLinks: 'Users, by id or e-mail address, and service accounts. They have to exist.',
        memberQuery: typed('Query', 'Users that the query finds are members too.'),
        identityMatcher: typed('IdentityMatcher', 'Users whose token matches an expression are members too.'),
      },
    },
    IdentityMatcher: {
      about: 'An expression over the token of a user.',
      section: 'group.members',
      fields: { expression: 'Expression that is true for members.', language: 'Language of the expression.' },
    },
  },
  example: { name: 'pipelines', description: 'Programs that deliver', memberLinks: [] },
};
