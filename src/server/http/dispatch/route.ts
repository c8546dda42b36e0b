import type { Described } from '../../api/openapi/described.ts';
import type { Call } from '../../core/session.ts';
import type { ApiReply } from '../message.ts';

/**
 * One operation of the API, as data: the dispatcher, the API description and the tests of access read the same table.
 */
export interface Route extends Described {
  readonly handle: (call: Call) => ApiReply | Promise<ApiReply>;
}
