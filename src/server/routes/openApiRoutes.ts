import type { JsonObject } from '../../schema/json.ts';
import { type ApiRequest, reply } from '../http/message.ts';
import type { Described } from '../rules/openapi/described.ts';
import type { Route } from './route.ts';

/** The description of these routes and of itself. What makes it is loaded when somebody asks. */
export function openApiRoutes(others: readonly Route[]): readonly Route[] {
  const described: Described[] = [...others];
  async function document({ base = '/' }: ApiRequest): Promise<JsonObject> {
    const { openApiDocument } = await import('../rules/openapi/document.ts');
    return openApiDocument(described, base);
  }
  const routes: readonly Route[] = [
    {
      id: 'openapi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Read this API as an OpenAPI 3.1 document',
      permission: 'none',
      answer: { type: 'object' },
      handle: async ({ request }) => reply(200, await document(request)),
    },
    {
      id: 'openapi.page',
      method: 'GET',
      path: '/-docs',
      summary: 'Browse this API',
      permission: 'none',
      answer: 'text',
      handle: async ({ request }) => {
        const { openApiPage } = await import('../rules/openapi/page.ts');
        const headers = { 'content-type': 'text/html; charset=utf-8' };
        return { status: 200, body: openApiPage(await document(request)), headers };
      },
    },
  ];
  described.push(...routes);
  return routes;
}
