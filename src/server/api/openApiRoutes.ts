import type { Call } from '../core/session.ts';
import { Slices } from '../core/slices.ts';
import { notFound } from '../http/apiFailure.ts';
import type { Route } from '../http/dispatch/route.ts';
import type { ApiReply } from '../http/message.ts';
import type { Described } from './openapi/described.ts';
import { fileReply, pageHeaders } from './pageFiles.ts';

interface Texts {
  readonly json: string;
  /** The page to show if the viewer is not installed. */
  readonly page: string;
}

/** The description of the API, made in slices at the first request and then cached. */
class ApiDescription {
  readonly #routes: readonly Described[];
  #texts: Promise<Texts> | undefined;

  constructor(routes: readonly Described[]) {
    this.#routes = routes;
  }

  async texts(): Promise<Texts> {
    this.#texts ??= this.#made();
    try {
      return await this.#texts;
    } catch (error) {
      this.#texts = undefined;
      throw error;
    }
  }

  /** Shared by all requests that wait for it, so it continues when one of them disconnects. */
  async #made(): Promise<Texts> {
    const { openApiSteps } = await import('./openapi/document.ts');
    const { openApiPage } = await import('./openapi/page.ts');
    return Slices.of({ caller: 'the description of the API' }, async (slices) => {
      const steps = openApiSteps(this.#routes);
      let step = steps.next();
      while (step.done !== true) {
        await slices.rest();
        step = steps.next();
      }
      await slices.yieldTurn();
      const json = JSON.stringify(step.value);
      await slices.yieldTurn();
      return { json, page: openApiPage(step.value) };
    });
  }
}

/**
 * The routes of the description, which describes all routes, including these. Its code is loaded at the first request.
 */
export function openApiRoutes(others: readonly Route[]): readonly Route[] {
  const described: Described[] = [...others];
  const description = new ApiDescription(described);
  const routes: readonly Route[] = [
    {
      id: 'openapi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Read this API as an OpenAPI 3.1 document',
      permission: 'none',
      answer: { type: 'object' },
      handle: async () => ({ status: 200, body: (await description.texts()).json, isConstant: true }),
    },
    {
      id: 'openapi.page',
      method: 'GET',
      path: '/-docs',
      summary: 'Browse this API',
      permission: 'none',
      answer: 'page',
      handle: () => page(description),
    },
    {
      id: 'openapi.pageFile',
      method: 'GET',
      path: '/-docs/{file}',
      summary: 'Read a file of the page that shows this API',
      permission: 'none',
      answer: 'pageFile',
      handle: pageFile,
    },
  ];
  described.push(...routes);
  return routes;
}

async function page(description: ApiDescription): Promise<ApiReply> {
  const { viewerPage } = await import('./viewerPage.ts');
  const { installedViewer } = await import('./viewer.ts');
  const viewer = await installedViewer();
  // Both pages contain inline styles.
  const headers = pageHeaders("'self' 'unsafe-inline'");
  if (viewer !== undefined) return { status: 200, body: viewerPage(viewer.version), headers };
  return { status: 200, body: (await description.texts()).page, headers };
}

/** The files of the page by name. The viewer's script is requested with its version, so that browsers can cache it. */
async function pageFile({ params, request }: Call): Promise<ApiReply> {
  const { pageScript, pageStyle } = await import('./viewerPage.ts');
  switch (params['file']) {
    case 'page.js':
      return fileReply('script', pageScript);
    case 'page.css':
      return fileReply('style', pageStyle);
    case 'viewer.js': {
      const { installedViewer } = await import('./viewer.ts');
      const viewer = await installedViewer();
      if (viewer === undefined) break;
      return fileReply('script', await viewer.script(), request.query.get('v') === viewer.version);
    }
    default:
  }
  throw notFound(request.path);
}
