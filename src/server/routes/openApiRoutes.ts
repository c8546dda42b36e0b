import type { JsonObject } from '../../schema/json.ts';
import { reply, type ApiRequest } from '../http/message.ts';
import { type Described, openApiDocument } from '../rules/openapi/document.ts';
import { openApiPage } from '../rules/openapi/page.ts';
import type { Route } from './route.ts';

/** The description of these routes and of itself. */
export function openApiRoutes(others: readonly Route[]): readonly Route[] {
  const described: Described[] = [...others];
  function document({ base = '/' }: ApiRequest): JsonObject {
    return openApiDocument(described, base);
  }
  const routes: readonly Route[] = [
    {
      id: 'openapi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'This API as an OpenAPI 3.1 document',
      permission: 'none',
      answer: { type: 'object' },
      handle: ({ request }) => reply(200, document(request)),
    },
    {
      id: 'openapi.page',
      method: 'GET',
      path: '/-docs',
      summary: 'The same as a page to read',
      permission: 'none',
      answer: 'text',
      handle: ({ request }) => {
        const headers = { 'content-type': 'text/html; charset=utf-8' };
        return { status: 200, body: openApiPage(document(request)), headers };
      },
    },
  ];
  described.push(...routes);
  return routes;
}
