import { ApiFailure } from '../http/apiFailure.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';

/** The answer where the method is this one, else 405. */
export function only(request: ApiRequest, method: 'GET' | 'POST', answer: () => ApiReply): ApiReply {
  if (request.method !== method) throw notAllowed(request.method, method);
  return answer();
}

/** 405, with the methods that there are. */
export function notAllowed(method: string, allow: string): ApiFailure {
  return new ApiFailure(405, `${method} is not available here`, { headers: { allow } });
}
