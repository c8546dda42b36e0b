import type { Published } from '../common/words.ts';

export const published: Published = {
  types: {
    TaskFields: {
      about: 'Something that a person is asked to do.',
      section: 'task.answers',
      fields: {
        targetEmail: 'Address of the person who is asked.',
        creatorLink: 'User who asks.',
        type: 'What is asked for.',
        context: 'Data of the user who made the task.',
        response: 'Answer to the task.',
      },
    },
  },
};
