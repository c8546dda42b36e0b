import type { JsonObject } from '../../../schema/json.ts';
import { aKind } from './kindWords.ts';
import type { Described } from './described.ts';

const inPath: Readonly<Record<string, { readonly description: string; readonly example?: string }>> = {
  account: { description: 'The id of the billing account.' },
  ctx: { description: 'The name of an audit context.', example: 'releases' },
  email: { description: 'An e-mail address.', example: 'ann@example.com' },
  eventId: { description: 'The id of an event.' },
  gvc: { description: 'The name of the GVC.', example: 'shop' },
  id: { description: 'The id.' },
  location: { description: 'The name of a location.', example: 'aws-eu-central-1' },
  org: { description: 'The name of the org.', example: 'local' },
  provider: { description: 'A cloud provider.', example: 'aws' },
  repository: { description: 'The name of an image without its tag.', example: 'web' },
  type: { description: 'The type of the secrets.', example: 'userpass' },
};

const pages: readonly JsonObject[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'How many records a page has.',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
  },
  {
    name: 'next',
    in: 'query',
    description: 'Where the page begins. Take it from the link `next` of the page before.',
    schema: { type: 'string' },
  },
];

export function parametersOf({ path, kind, answer, query = [] }: Described): readonly JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ofPath = names.map((name): JsonObject => {
    const named = kind === undefined ? 'The name.' : `The name of ${aKind(kind)}.`;
    const { description, example } = inPath[name] ?? { description: named };
    const schema = { type: 'string' };
    return { name, in: 'path', required: true, description, schema, ...(example === undefined ? {} : { example }) };
  });
  const own = query.map(({ name, description }) => ({ name, in: 'query', description, schema: { type: 'string' } }));
  return [...ofPath, ...(answer === 'list' || answer === 'queryresult' ? pages : []), ...own];
}
