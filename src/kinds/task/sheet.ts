import { fields, free, optional, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { governing } from '../common/facts.ts';
import { envelope } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const definition = fields(
  {
    ...envelope,
    name: optional(text()),
    targetEmail: optional(text()),
    creatorLink: optional(text()),
    type: optional(text()),
    context: optional(free()),
    response: optional(free()),
  },
  onlyMetadata,
);

/** A request to a user; addressed by its id (platform/task). */
export const task = {
  singular: 'task',
  plural: 'tasks',
  about: 'A request to a user, such as an invitation to join an org.',
  typeName: 'TaskFields',
  exampleName: '3f0c2d4e',
  permissions: ['delete', 'edit', 'manage', 'view'],
  risks: governing,
  unchangeable: true,
  nameDescription: 'The id of the task.',
  verbs: ['get', 'query', 'delete', 'permissions'],
  definition,
  client: async () => (await import('./client.ts')).taskClient,
} satisfies Sheet;
