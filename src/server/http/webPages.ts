import { isLoopback, readHost } from '../../base/text/hostName.ts';
import { ApiFailure } from './apiFailure.ts';
import type { Handle, RequestHead } from './message.ts';

export interface PageGuard {
  /** A further address of the server, such as that of a proxy. */
  readonly publicUrl: string | undefined;
  /** Without tokens any page could write, so the body must be of a form that a page of another site cannot send. */
  readonly jsonOnly: boolean;
}

/**
 * A browser on this machine can reach loopback for every page that it shows. Requests that such a page could send are
 * refused: another origin, another name for this address (DNS rebinding), a body in the form of an HTML form.
 */
export function withoutForeignPages(guard: PageGuard, handle: Handle): Handle {
  return async (head, readBody) => {
    const failure = refusal(guard, head);
    if (failure !== undefined) throw failure;
    return handle(head, readBody);
  };
}

const jsonType = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;

/** Requests of a page of this server, or of the user who opens one. */
const ownSites: ReadonlySet<string> = new Set(['none', 'same-origin']);

function refusal(guard: PageGuard, { host, origin, fetchSite, bodyType }: RequestHead): ApiFailure | undefined {
  const named = readHost(host);
  if (named === undefined || !isOwnName(guard, named.name)) {
    // The header is not repeated: it can be anything.
    const problem = host === undefined || host === '' ? 'is missing' : 'names another host';
    const message =
      `the header Host ${problem}: this server answers to localhost, 127.0.0.1 and [::1], and to the address of ` +
      '--public-url';
    return new ApiFailure('foreign_host', message);
  }
  if (origin !== undefined && !isOwnOrigin(guard, origin, named.text)) return foreign('Origin');
  if (fetchSite !== undefined && !ownSites.has(fetchSite)) return foreign('Sec-Fetch-Site');
  if (guard.jsonOnly && bodyType !== undefined && !jsonType.test(bodyType)) {
    const message = 'a server without tokens takes JSON only: send the header "content-type: application/json"';
    return new ApiFailure('not_json', message);
  }
  return undefined;
}

function foreign(header: string): ApiFailure {
  const message =
    `the request comes from a web page of another address (by its header ${header}): open this server's own ` +
    'address, or send the request from a program';
  return new ApiFailure('foreign_origin', message);
}

function isOwnName({ publicUrl }: PageGuard, name: string): boolean {
  return isLoopback(name) || (publicUrl !== undefined && readHost(new URL(publicUrl).host)?.name === name);
}

/** Is it a page of the same host? */
function isOwnOrigin({ publicUrl }: PageGuard, origin: string, host: string): boolean {
  return origin === `http://${host}` || (publicUrl !== undefined && origin === new URL(publicUrl).origin);
}
