import { type JsonObject, stringAt } from '../../../base/json/json.ts';
import { isKnownKind, type Kind } from '../../../schema/record/kinds.ts';
import { aKind } from '../../../schema/record/kindWords.ts';
import { bootstrapUser, localAccount } from '../../http/limits.ts';
import { type Described, takesDryRun } from './described.ts';
import { recordExamples } from './exampleRecords.ts';

interface Words {
  readonly description: string;
  readonly example?: string | undefined;
}

const inPath: Readonly<Record<string, Words>> = {
  account: { description: 'The id of the billing account.', example: localAccount },
  ctx: { description: 'The name of an audit context.', example: 'releases' },
  email: { description: 'An e-mail address.', example: 'ann@example.com' },
  eventId: { description: 'The id of an event.' },
  file: { description: 'The name of the file.', example: 'page.js' },
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

const dryRun: JsonObject = {
  name: 'dryRun',
  in: 'query',
  description: 'With `true` nothing is written: the answer is 200 with what would be answered, or the refusal.',
  schema: { type: 'boolean', default: false },
};

export function parametersOf(route: Described): readonly JsonObject[] {
  const { path, kind, answer, query = [] } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ofPath = names.map((name): JsonObject => {
    const { description, example } = inPath[name] ?? nameOf(kind);
    const schema = { type: 'string' };
    return { name, in: 'path', required: true, description, schema, ...(example === undefined ? {} : { example }) };
  });
  const own = query.map(({ name, description }) => ({ name, in: 'query', description, schema: { type: 'string' } }));
  return [
    ...ofPath,
    ...(answer === 'list' || answer === 'queryresult' ? pages : []),
    ...(takesDryRun(route) ? [dryRun] : []),
    ...own,
  ];
}

/** The name in the example of a new record, so that the examples build on each other. */
function nameOf(kind: Kind | undefined): Words {
  if (kind === undefined) return { description: 'The name.' };
  const example =
    kind === 'user' ? bootstrapUser : stringAt((isKnownKind(kind) ? recordExamples[kind] : undefined) ?? {}, 'name');
  return { description: `The name of ${aKind(kind)}.`, example };
}
