import { documentedRecordSchema } from '../../../schema/jsonSchema.ts';
import type { JsonObject, JsonValue } from '../../../schema/json.ts';
import type { Kind } from '../../../schema/kinds.ts';
import { commonSchemas } from './commonSchemas.ts';
import type { Described } from './described.ts';
import { wordsOf } from './kindWords.ts';
import { operationOf } from './operation.ts';
import { patchSchema } from './patchSchema.ts';
import { refusals } from './refusals.ts';
import { inReadingOrder, usedTags } from './tags.ts';

const about = `Resources of a workload platform, by REST.

- **Token**: send \`authorization: Bearer TOKEN\`.
- **Records** have a kind and a name. Links such as \`/org/local/gvc/shop\` name a record; \`//gvc/shop\` is short for one in the same org.
- **Pages**: a list answers up to \`limit\` records, and a link \`next\` where there are more.
- **Refusals** have a stable \`code\`; \`details.problems\` says what is wrong, with path and rule.`;

/** The API as an OpenAPI 3.1 document, from the same routes and schemas that serve it. `url`: where it answers. */
export function openApiDocument(routes: readonly Described[], url: string): JsonObject {
  const kinds = [...new Set(routes.flatMap(({ kind }) => kind ?? []))].toSorted();
  return {
    openapi: '3.1.0',
    info: { title: 'Workload platform', version: '1', description: about },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: usedTags(routes),
    paths: paths(inReadingOrder(routes)),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A key of a service account, or a configured token.' },
      },
      responses: refusals,
      schemas: { ...kindSchemas(kinds), ...commonSchemas },
    },
  };
}

function paths(routes: readonly Described[]): JsonObject {
  const byPath = new Map<string, Record<string, JsonValue>>();
  for (const route of routes) {
    const operations = byPath.get(route.path) ?? {};
    operations[route.method.toLowerCase()] = operationOf(route);
    byPath.set(route.path, operations);
  }
  return Object.fromEntries(byPath);
}

function kindSchemas(kinds: readonly Kind[]): JsonObject {
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const schema = { ...plain(documentedRecordSchema(kind)), description: wordsOf(kind).about };
      return [
        [kind, schema],
        [`${kind}Patch`, patchSchema(schema)],
      ];
    }),
  );
}

/** As plain JSON, without the name of the dialect: the document says it once. */
function plain(schema: object): JsonObject {
  const { $schema: _, ...rest }: Record<string, JsonValue> = JSON.parse(JSON.stringify(schema));
  return rest;
}
