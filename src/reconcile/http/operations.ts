import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReconcileMetrics } from './metrics.ts';
import type { WebhookHandler } from './webhooks.ts';

export interface OperationOptions {
  readonly metrics: Pick<ReconcileMetrics, 'contentType' | 'text'>;
  /** Whether the caller may read names and states of stacks. */
  readonly mayRead: (request: IncomingMessage) => Promise<boolean>;
  /** The reason why this worker takes no work; undefined if it does. */
  readonly unready: () => Promise<string | undefined>;
  readonly webhooks: WebhookHandler;
}

/**
 * The paths for machines: `POST /-hooks`, `GET /-metrics`, `GET /-health` (the process responds) and `GET /-ready` (it
 * takes work: its store responds, and it is not stopping). Returns false for other paths.
 */
export function operationRoutes({ metrics, mayRead, unready, webhooks }: OperationOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const [path] = (request.url ?? '').split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const send = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    if (path === '/-hooks') {
      await webhooks(request, response);
      return true;
    }
    if (!isRead) return false;
    switch (path) {
      case '/-health':
        send(200, 'ok\n');
        return true;
      case '/-ready': {
        const why = await unready().catch(() => 'the store does not answer');
        send(why === undefined ? 200 : 503, `${why ?? 'ready'}\n`);
        return true;
      }
      case '/-metrics':
        if (await mayRead(request)) send(200, await metrics.text(), metrics.contentType);
        else send(401, 'a token is needed\n');
        return true;
      default:
        return false;
    }
  };
}
